//! The memory contract: JSON answers, so only random corpora.

mod shape;

use super::specifics::Specifics;

pub(super) const MEMORY: Specifics =
    Specifics { name: "memory", formats: &[], rules: &[], picks: &[], shape: Some(&shape::Memory) };
