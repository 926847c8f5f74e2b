//! The published grammar of a line.

use crate::format::Grammar;
use std::sync::LazyLock;

pub(super) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::built_in(include_str!("../../../../../schemas/outline/outline.pest")));
