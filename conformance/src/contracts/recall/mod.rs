//! The recall contract: JSON answers, so only random corpora.

mod shape;

use super::specifics::Specifics;

pub(super) const RECALL: Specifics =
    Specifics { name: "recall", formats: &[], rules: &[], picks: &[], shape: Some(&shape::Recall) };
