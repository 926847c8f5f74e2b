//! Reports, all rendered from one [`RunLog`](crate::log::RunLog). They are pure: text in, text out.

pub mod diff;
pub mod inert;
pub mod json;
pub mod junit;
pub mod repeat;
pub mod terminal;
