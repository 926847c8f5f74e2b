//! A run from the target file to what it comes to.

use super::several::Several;
use super::{Options, Progress, Run, start_and_run};
use crate::ledger::RunLog;
use crate::load::Suite;
use crate::model::Header;
use crate::targets::{TargetError, TargetFile};
use chrono::{DateTime, FixedOffset, Local, SubsecRound};
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

/// When a run begins, as its header has it.
pub fn began() -> DateTime<FixedOffset> {
    DateTime::<Local>::from(SystemTime::now()).trunc_subsecs(3).fixed_offset()
}

/// Makes a target ready, runs it as often as is asked for, each time anew, and says what that comes to. One that is not there is a run
/// that tells so. `places` are texts to put in for `{name}`.
///
/// # Errors
/// When the target makes no sense.
pub async fn reported(
    suite: &Arc<Suite>,
    file: &TargetFile,
    places: &BTreeMap<String, String>,
    options: &Options,
    strict: bool,
    interrupt: impl Future<Output = ()>,
    mut show: impl FnMut(&Progress),
) -> Result<RunLog, TargetError> {
    let (started, began) = (Instant::now(), began());
    let environment = |name: &str| std::env::var(name).ok();
    let name = file.redactor(places, &environment).redacted(&file.name);
    let mut header = Header::of(&name, began, strict, options.seed, options.selection.clone());
    header.require_exercised = file.require_exercised;
    tokio::pin!(interrupt);
    let mut several = Several::default();
    loop {
        let run = match file.ready(places, &environment) {
            Ok(target) => {
                if header.runs == 0 {
                    header.describe(&target, suite);
                }
                let options = Options { seed: next(options.seed, header.runs), ..options.clone() };
                start_and_run(suite, target, &options, interrupt.as_mut(), &mut show).await
            }
            Err(TargetError::Transport(error)) => Run { unreachable: Some(error), ..Run::default() },
            Err(error) => return Err(error),
        };
        header.runs += 1;
        if !several.add(run) || header.runs >= options.runs {
            return Ok(RunLog::of(suite, header, several.into_run(), started.elapsed()));
        }
    }
}

/// The seed of a later run: another order, unless that of the suite was asked for.
fn next(seed: u64, later: usize) -> u64 {
    if seed == 0 { 0 } else { seed.wrapping_add(later as u64).max(1) }
}
