//! Judging again: evidence that was recorded earlier, by a log or by a tap, judged by the suite as it is now.
//!
//! `lines` reads the lines of a log, `line` says what each is, `stored` makes a log of them and judges its cases (`case`), `merge` puts the
//! logs of shards together, `unfinished` reads the log of a tap that was killed, `heard` says what can be judged of exchanges that the
//! suite did not ask for.

mod case;
mod doubt;
mod heard;
mod line;
mod lines;
mod merge;
mod recorded;
mod stored;
mod unfinished;

pub(crate) use heard::{Findings, Judging, PART, bound};
pub use lines::LogError;
pub use merge::{MergeError, Merged, merge};
pub use stored::Stored;
