//! The nouns of the suite, as plain data.
//!
//! What stands in files is `contract` and `case`; what a run makes is `evidence`, then `finding`.

mod case;
mod contract;
mod evidence;
mod explore;
mod finding;
mod schemas;
mod sentinel;

pub use case::*;
pub use contract::*;
pub use evidence::*;
pub use explore::*;
pub use finding::*;
pub use schemas::file_schemas;
pub use sentinel::*;
