//! What `changes.md` approves: by fingerprints, under the heading of what they are a part of.

use crate::{MEMORY, add, diff, edit, replace, side, view};
use conformance::diff::Standing;
use rstest::rstest;
use serde_json::json;

#[rstest]
#[case::as_it_is("", "it is not named under \"Erratum of revision 1\"")]
#[case::not_named("## Erratum\n\n- `0123456789ab` wider\n", "it is not named under \"Erratum of revision 1\"")]
#[case::without_a_reason("## Erratum\n\n- `FINGERPRINT`\n", "it is named without a reason")]
#[case::as_a_later_document(
    "## Revision 2\n\n- `FINGERPRINT` wider\n",
    "it is named under \"Revision 2\", and belongs under \"Erratum of revision 1\""
)]
#[case::of_another_revision(
    "## Erratum 3 of revision 2\n\n- `FINGERPRINT` wider\n",
    "it is named under \"Erratum of revision 2\", and belongs under \"Erratum of revision 1\""
)]
fn a_breaking_change_of_a_revision_that_shipped_is_not_approved(#[case] list: &str, #[case] due: &str) {
    assert_eq!(standing(list, true), Standing::Unapproved { missing: due.to_owned() });
}

#[rstest]
#[case::plain("# Changes\n\n## Erratum\n\n- `FINGERPRINT` it says\n  `25` entries\n", true, "it says `25` entries")]
#[case::dated(
    "## Erratum of revision 1, 2026-11-28\n\nWhy.\n\n* `FINGERPRINT` wider\n* `000000000000` other\n",
    true,
    "wider"
)]
#[case::of_several("## Errata of revisions 1 and 2\n\n- `FINGERPRINT` wider\n", true, "wider")]
#[case::with_others("## Erratum\n\n- `0123456789ab`, `FINGERPRINT` and `000000000000`: wider\n", true, "wider")]
#[case::before_it_shipped("## Revision 1\n\n- `FINGERPRINT` wider\n", false, "wider")]
#[case::corrected_before_it_shipped("## Erratum of revision 1\n\n- `FINGERPRINT` wider\n", false, "wider")]
fn a_breaking_change_is_approved_by_its_fingerprint(#[case] list: &str, #[case] frozen: bool, #[case] due: &str) {
    assert_eq!(standing(list, frozen), Standing::Approved { reason: due.to_owned() });
}

/// What becomes of a wider range with this `changes.md`, in a revision that has shipped or not.
fn standing(list: &str, frozen: bool) -> Standing {
    let (mut before, mut now) = (side(), side());
    view(&mut before, "memory").revision.frozen = frozen;
    view(&mut now, "memory").revision.frozen = frozen;
    edit(&mut now, MEMORY, &replace("/properties/top_ke/maximum", json!(25)));
    let fingerprint = diff(&before, &now).changes[0].fingerprint.clone();
    view(&mut now, "memory").approvals = list.replace("FINGERPRINT", &fingerprint);
    // Something else changes as well, and does not touch it.
    edit(&mut now, MEMORY, &add("/properties/query/maxLength", json!(100)));
    diff(&before, &now).changes.iter().find(|one| one.fingerprint == fingerprint).expect("the change").standing.clone()
}
