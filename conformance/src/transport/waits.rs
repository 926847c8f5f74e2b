//! How long a server is waited for that asks to wait.

use chrono::{DateTime, Utc};
use std::time::{Duration, SystemTime};

/// How often, and how long each time, a server is waited for that asks to wait.
const WAITS: u32 = 3;
/// The first pause where it does not say how long, or no time at all; each is twice the one before.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Counts how often a server asked to wait.
#[derive(Debug, Default)]
pub(super) struct Waits(u32);

impl Waits {
    /// How long to wait before a request is sent again that was answered by 429, or by 503 with `Retry-After` (RFC 9110, 10.2.3);
    /// nothing where the answer says nothing of the sort, or asks for more than we wait.
    pub(super) fn next(&mut self, status: u16, retry_after: Option<&str>) -> Option<Duration> {
        let asked = match (status, retry_after) {
            (429, asked) => asked.unwrap_or_default(),
            (503, Some(asked)) => asked,
            _ => return None,
        };
        let seconds = asked.trim().parse().map(Duration::from_secs).ok();
        let pause = seconds.or_else(|| {
            let until = DateTime::parse_from_rfc2822(asked).ok()?;
            (until.to_utc() - DateTime::<Utc>::from(SystemTime::now())).to_std().ok()
        });
        let pause = pause.filter(|pause| !pause.is_zero()).unwrap_or(FIRST_WAIT * 2_u32.pow(self.0));
        (pause <= LONGEST_WAIT && self.0 < WAITS).then(|| {
            self.0 += 1;
            pause
        })
    }

    /// Whether the server still asked to wait after all the waiting.
    pub(super) fn were_in_vain(&self) -> bool {
        self.0 == WAITS
    }
}

/// Why a request is sent again after a pause.
pub(super) fn asked_to_wait(status: u16, pause: Duration) -> String {
    format!("after the status {status}, a pause of {} s", pause.as_secs_f64().ceil())
}
