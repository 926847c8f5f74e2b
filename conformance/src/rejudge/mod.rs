//! Judging again: evidence that was recorded earlier, by a log or by a tap, judged by the suite as it is now.
//!
//! `stored` reads a log and judges its evidence, `merge` puts the logs of shards together, `heard` says what can be judged of
//! exchanges that the suite did not ask for.

mod heard;
mod merge;
mod stored;

pub(crate) use heard::{Findings, Judging, PART, bound};
pub use merge::{MergeError, Merged, merge};
pub use stored::{LogError, Stored};
