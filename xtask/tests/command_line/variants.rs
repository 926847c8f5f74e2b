//! Variants of the reference: legal answers that take another server.

use crate::xtask;
use conformance::load::Suite;
use std::collections::BTreeSet;
use testing::{root, said};

#[test]
fn the_reference_has_the_variants_that_legal_answers_name_and_no_other() {
    let suite = Suite::load(root()).unwrap();
    for (contract, known) in reference::variants() {
        let views = suite.keys().filter(|key| key.name() == contract);
        let legal = views.flat_map(|key| &suite.keyed(&key).unwrap().legal);
        let named: BTreeSet<&str> = legal.filter_map(|legal| legal.answer.variant.as_deref()).collect();
        assert_eq!(named, known.iter().copied().collect(), "{contract}");
    }
}

#[test]
fn an_unknown_variant_is_refused_with_a_list() {
    for command in [&["mcp"][..], &["qipu", "prime"]] {
        let said = said(&mut xtask(&[&["reference"], command, &["--variant", "or-wrods"]].concat()));
        assert_eq!(said.code, Some(2), "{}", said.err);
        for part in ["'or-wrods' for '--variant <NAME>'", "[possible values: ", "a similar value exists: 'or-words'"] {
            assert!(said.err.contains(part), "{part}\n{}", said.err);
        }
    }
}

#[test]
fn a_contract_without_variants_is_no_success() {
    let said = said(&mut xtask(&["variants", "recall", "--variant", "none"]));
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.err);
}
