//! The order in which a summary is looked for, and what counts as a heading and a paragraph.

use super::Store;
use rstest::rstest;

#[rstest]
#[case::front_matter("summary: From\n", "Body.", "From")]
#[case::white_space("summary: \"two\\n  lines\\t\"", "Body.", "two lines")]
#[case::blank_counts_as_absent("summary: '  '", "Body.", "Body.")]
#[case::null_counts_as_absent("summary:", "Body.", "Body.")]
#[case::section("", "First.\n\n## Summary\n\nUnder\nit.\n\nMore.", "Under it.")]
#[case::section_at_once("", "First.\n\n## Summary\nUnder.", "Under.")]
#[case::other_words("", "First.\n\n## Summary of all\n\nUnder.", "First.")]
#[case::other_case("", "First.\n\n## summary\n\nUnder.", "First.")]
#[case::level_one("", "First.\n\n# Summary\n\nUnder.", "First.")]
#[case::level_three("", "First.\n\n### Summary\n\nUnder.", "First.")]
#[case::underlined("", "First.\n\nSummary\n---\n\nUnder.", "First.")]
#[case::in_a_fence("", "```\n## Summary\n\nFenced.\n```\n\nFirst.", "First.")]
#[case::in_a_quotation("", "First.\n\n> ## Summary\n>\n> Quoted.\n\nSecond.", "First.")]
#[case::empty_section("", "First.\n\n## Summary\n\n## Next\n\nUnder.", "First.")]
#[case::deeper_heading_stays_inside("", "First.\n\n## Summary\n\n### Short\n\nUnder.", "Under.")]
#[case::headings_are_no_paragraph("", "# Title\n\n## Part\n\nFirst\npart.\n\nSecond.", "First part.")]
#[case::comments_are_no_paragraph("", "<!-- later -->\n\nFirst.", "First.")]
#[case::lists_are_no_paragraph("", "- one\n\n- two\n\nFirst.", "First.")]
#[case::raw_markdown("", "See [[qp-x|it]] *now*.", "See [[qp-x|it]] *now*.")]
fn found(#[case] front: &str, #[case] body: &str, #[case] summary: &str) {
    let out = context(front, body);
    assert!(out.ends_with(&format!("\nS qp-a {summary}\n")), "{out}");
}

#[rstest]
#[case::no_body("")]
#[case::only_headings("# One\n\n## Summary\n")]
#[case::only_code("```\ncode\n```\n")]
fn none(#[case] body: &str) {
    let out = context("", body);
    assert!(!out.contains("\nS "), "{out}");
}

fn context(front: &str, body: &str) -> String {
    let store = Store::empty();
    store.note("qp-a", &format!("title: A\n{front}"), body);
    store.records("context --note qp-a")
}
