//! Rules over the items of a search: every form that the document leaves open is read alike.

use super::trial::{Said, try_rule};
use conformance::model::Verdict::{self, Fail, Incomplete, Pass, Skip};
use rstest::rstest;
use serde_json::{Value, json};

fn frame(time: Value) -> Value {
    json!({ "frame_id": 7, "timestamp": time, "app_name": "Inkwell", "window_name": "Letters", "browser_url": null,
        "focused": true, "ocr_snippet": "a <b>velvet</b> harbour &amp; more", "frame_url": "/api/v1/frames/7" })
}

fn with(field: &str, value: Value) -> Value {
    let mut frame = frame(json!(5));
    frame[field] = value;
    frame
}

/// A rule over `value` and what else it reads.
fn said(rule: &str, args: Value, answer: Value) -> Said {
    let names = answer.as_object().unwrap().keys();
    let path = |name: &String| match answer[name].is_array() {
        true => format!("$[0][0].answer.{name}[*]"),
        false => format!("$[0][0].answer.{name}"),
    };
    let select: Value = names.map(|name| (name.clone(), json!(path(name)))).collect();
    try_rule(rule, &select, &args, &answer)
}

fn over(rule: &str, args: Value, items: Value) -> Said {
    said(rule, args, json!({ "value": items }))
}

#[rstest]
#[case::number(frame(json!(5)))]
#[case::text(frame(json!("5.0")))]
#[case::noise(frame(json!(5.0001)))]
fn a_time_is_read_in_every_form(#[case] item: Value) {
    for rule in ["frames-are", "frames-in-order", "frames-only"] {
        assert_eq!(over(rule, json!({ "of": [5] }), json!([item])).verdict, Pass, "{rule}");
        assert_eq!(over(rule, json!({ "of": [6] }), json!([item])).verdict, Fail, "{rule}");
    }
    assert_eq!(over("frames-include", json!({ "all": [5] }), json!([item])).verdict, Pass);
    assert_eq!(over("frames-include", json!({ "all": [5, 6] }), json!([item])).verdict, Fail);
    assert_eq!(over("frames-lack", json!({ "all": [5] }), json!([item])).verdict, Fail);
    assert_eq!(over("frames-lack", json!({ "all": [6] }), json!([item])).verdict, Pass);
}

#[rstest]
#[case::a_date(frame(json!("2023-11-14T22:13:20Z")))]
#[case::no_number(frame(json!("NaN")))]
#[case::no_object(json!(7))]
fn what_has_no_time_is_passed_over(#[case] item: Value) {
    for rule in ["frames-are", "frames-in-order", "frames-only"] {
        assert_eq!(over(rule, json!({ "of": [5] }), json!([item])).verdict, Skip, "{rule}");
    }
    assert_eq!(over("frames-newest-first", json!({}), json!([frame(json!(5)), item])).verdict, Skip);
    let args = json!({ "field": "timestamp", "holds": "epoch-seconds" });
    assert_eq!(over("frames-have", args, json!([item])).verdict, Fail);
}

#[rstest]
#[case::twice(json!([5, 5]), Fail)]
#[case::as_often_as_listed(json!([5, 6]), Pass)]
#[case::in_another_order(json!([6, 5]), Pass)]
#[case::missing(json!([6]), Fail)]
#[case::empty(json!([]), Fail)]
fn exact_frames(#[case] times: Value, #[case] due: Verdict) {
    let items: Value = times.as_array().unwrap().iter().map(|time| frame(time.clone())).collect();
    assert_eq!(over("frames-are", json!({ "of": [5, 6] }), items).verdict, due);
}

#[rstest]
#[case::inside(json!(1), json!(9), Pass, Pass)]
#[case::bounds_as_text(json!("1"), json!("9"), Pass, Pass)]
#[case::on_the_bounds(json!(5), json!(5), Pass, Pass)]
#[case::start_ignored(json!(6), json!(9), Fail, Pass)]
#[case::end_ignored(json!(1), json!(4), Pass, Fail)]
#[case::reversed(json!(9), json!(1), Skip, Skip)]
#[case::start_without_sense(json!("NaN"), json!(9), Skip, Pass)]
#[case::end_without_sense(json!(1), json!("inf"), Pass, Skip)]
#[case::words(json!("yesterday"), json!("tomorrow"), Skip, Skip)]
fn bounds(#[case] start: Value, #[case] end: Value, #[case] before: Verdict, #[case] after: Verdict) {
    let answer = json!({ "value": [frame(json!(5))], "start": start, "end": end });
    assert_eq!(said("frames-not-before", json!({}), answer.clone()).verdict, before);
    assert_eq!(said("frames-not-after", json!({}), answer).verdict, after);
}

#[rstest]
#[case::boolean(json!(true), Pass, Fail)]
#[case::number(json!(0), Fail, Pass)]
#[case::text(json!("1"), Pass, Fail)]
#[case::unknown(Value::Null, Skip, Skip)]
fn focus_is_read(#[case] shown: Value, #[case] is_true: Verdict, #[case] is_false: Verdict) {
    let items = json!([with("focused", shown)]);
    let verdict = |is: bool, asked: Value| {
        said("frames-focused", json!({ "is": is }), json!({ "value": items, "asked": asked })).verdict
    };
    assert_eq!(verdict(true, json!(true)), is_true);
    assert_eq!(verdict(false, json!(false)), is_false);
    assert_eq!(verdict(true, json!(false)), Skip);
}

#[rstest]
#[case::same(frame(json!(5)), Pass)]
#[case::a_time_as_text(frame(json!("5")), Pass)]
#[case::no_address_is_an_empty_one(with("browser_url", json!("")), Pass)]
#[case::focus_as_a_number(with("focused", json!(1)), Pass)]
#[case::another_focus(with("focused", json!(false)), Fail)]
#[case::another_address(with("browser_url", json!("https://a.example")), Fail)]
#[case::another_title(with("window_name", json!("Other")), Fail)]
#[case::a_lost_title(with("window_name", Value::Null), Fail)]
fn values(#[case] item: Value, #[case] due: Verdict) {
    assert_eq!(over("frames-as-listed", json!({ "of": [frame(json!(5))] }), json!([item])).verdict, due);
}

#[rstest]
#[case::unknown(Value::Null, Pass)]
#[case::taken_for_false(json!(false), Pass)]
#[case::taken_for_true(json!(true), Fail)]
fn an_unknown_focus(#[case] shown: Value, #[case] due: Verdict) {
    let listed = json!({ "of": [with("focused", Value::Null)] });
    assert_eq!(over("frames-as-listed", listed, json!([with("focused", shown)])).verdict, due);
}

#[rstest]
#[case::inside("Old Inkwell", "ink", Pass)]
#[case::accents("Café Zürich", "cafe zur", Pass)]
#[case::without_accents("Cafe Zurich", "fé zü", Pass)]
#[case::combining("Cafe\u{301}", "café", Pass)]
#[case::white_space("a \t b", "A B", Pass)]
#[case::escaped("5&quot; of &lt;b&gt; &amp; more", "5\" of <b> &", Pass)]
#[case::another_script("京都メモ", "阪メモ", Fail)]
#[case::elsewhere("Ledgerline", "ink", Fail)]
#[case::nothing("", "ink", Fail)]
fn parts(#[case] text: &str, #[case] part: &str, #[case] due: Verdict) {
    let answer = json!({ "value": [with("app_name", json!(text))], "part": part });
    assert_eq!(said("frames-contain", json!({ "field": "app_name" }), answer).verdict, due);
}

#[rstest]
#[case::a_piece("carpet blanket feather number", Pass)]
#[case::marked("… carpet <b>blanket</b> feather number …", Pass)]
#[case::cut("ket blanket feather num", Pass)]
#[case::upper_case("CARPET BLANKET FEATHER NUMBER", Pass)]
#[case::one_word_by_chance("blanket copper harbour velvet meadow", Fail)]
#[case::another("Lorem ipsum dolor amet", Fail)]
#[case::nothing("", Skip)]
fn snippets(#[case] snippet: &str, #[case] due: Verdict) {
    let of = json!({ "of": [{ "timestamp": 5, "ocr_text": "carpet blanket feather number wagon" }] });
    assert_eq!(over("frames-show-text", of, json!([with("ocr_snippet", json!(snippet))])).verdict, due);
}

#[rstest]
#[case::all(json!(["accepted", "accepted"]), Pass, Pass)]
#[case::some(json!(["accepted", "refused"]), Fail, Pass)]
#[case::none(json!(["refused", "refused"]), Skip, Fail)]
#[case::one_failed(json!(["accepted", "failed"]), Pass, Pass)]
#[case::no_frames(json!([]), Skip, Skip)]
fn addresses(#[case] statuses: Value, #[case] alike: Verdict, #[case] served: Verdict) {
    assert_eq!(over("frames-answer-alike", json!({}), statuses.clone()).verdict, alike);
    assert_eq!(over("frames-served", json!({}), statuses).verdict, served);
}

#[rstest]
#[case::refused(json!({ "status": "refused" }), Pass)]
#[case::the_same(json!({ "status": "accepted", "items": [frame(json!(5)), frame(json!(4))] }), Pass)]
#[case::fewer(json!({ "status": "accepted", "items": [frame(json!(5))] }), Pass)]
#[case::another(json!({ "status": "accepted", "items": [with("frame_id", json!(8))] }), Fail)]
#[case::more(json!({ "status": "accepted", "items": [frame(json!(5)), frame(json!(4)), frame(json!(3))] }), Fail)]
#[case::failed(json!({ "status": "failed" }), Fail)]
fn calls_without_an_argument(#[case] call: Value, #[case] due: Verdict) {
    let answer = json!({ "value": [call], "without": [frame(json!(5)), frame(json!(4))] });
    assert_eq!(said("refused-or-as-without", json!({}), answer).verdict, due);
}

#[rstest]
#[case::empty(json!({ "status": "accepted", "items": [] }), Pass)]
#[case::refused(json!({ "status": "refused" }), Pass)]
#[case::without_a_list(json!({ "status": "accepted", "items": null }), Pass)]
#[case::failed(json!({ "status": "failed" }), Incomplete)]
#[case::full(json!({ "status": "accepted", "items": [with("frame_id", json!(9))] }), Incomplete)]
#[case::received_before(json!({ "status": "accepted", "items": [frame(json!(5))] }), Fail)]
fn the_end_of_a_walk(#[case] last: Value, #[case] expected: Verdict) {
    let two = json!({ "status": "accepted", "items": [with("frame_id", json!(8))] });
    let pages = json!([{ "status": "accepted", "items": [frame(json!(5))] }, two, last]);
    assert_eq!(said("walk-unique", json!({ "key": "frame_id" }), json!({ "pages": pages })).verdict, expected);
}

#[test]
fn ids_with_more_digits_than_are_read_are_not_told_apart() {
    let one = |id: f64| json!({ "status": "accepted", "items": [with("frame_id", json!(id))] });
    let pages = |id| json!({ "pages": [one(id), one(id + 1.0), { "status": "accepted", "items": [] }] });
    assert_eq!(said("walk-unique", json!({ "key": "frame_id" }), pages(1e21)).verdict, Skip);
    assert_eq!(said("walk-unique", json!({ "key": "frame_id" }), pages(7.0)).verdict, Pass);
    let counted = json!({ "key": "frame_id", "count": 2 });
    assert_eq!(said("walk-complete", counted.clone(), pages(1e21)).verdict, Incomplete);
    assert_eq!(said("walk-complete", counted, pages(7.0)).verdict, Pass);
}

#[test]
fn a_walk_whose_first_page_is_refused_has_not_ended() {
    let pages = json!([{ "status": "refused" }]);
    assert_eq!(said("walk-unique", json!({ "key": "frame_id" }), json!({ "pages": pages })).verdict, Incomplete);
}

#[test]
fn two_windows_of_a_frame_are_two_results() {
    let other = with("window_name", json!("Other"));
    let key = json!({ "key": ["frame_id", "app_name", "window_name"] });
    let walk = |items: Value| {
        let pages = json!([{ "status": "accepted", "items": items }, { "status": "accepted", "items": [] }]);
        said("walk-unique", key.clone(), json!({ "pages": pages })).verdict
    };
    assert_eq!(walk(json!([frame(json!(5)), other])), Pass);
    assert_eq!(walk(json!([frame(json!(5)), frame(json!(5))])), Fail);
    assert_eq!(walk(json!([{ "timestamp": 5 }, { "timestamp": 5 }])), Skip);
    let same_url = json!([frame(json!(5)), with("frame_id", json!(8))]);
    assert_eq!(over("frames-own-addresses", json!({}), same_url).verdict, Fail);
    assert_eq!(over("frames-own-addresses", json!({}), json!([frame(json!(5)), frame(json!(5))])).verdict, Pass);
}

/// What a search with these arguments found of frames that are known.
fn again(with: Value, own: Value, found: Value) -> Verdict {
    said("frames-found-again", json!({}), json!({ "asked": [with], "own": own, "found": found })).verdict
}

#[test]
fn a_known_frame_is_found_again_by_what_it_shows() {
    let window = json!({ "start_time": 4, "end_time": 6, "limit": 20, "app_name": "nkwel" });
    let own = json!([frame(json!(5)), with("app_name", json!("Ledger"))]);
    assert_eq!(again(window.clone(), own.clone(), json!([frame(json!(5))])), Pass);
    assert_eq!(again(window.clone(), own.clone(), json!([with("frame_id", json!(8))])), Fail);
    assert_eq!(again(window, own.clone(), json!([])), Fail);
    let beside = [
        json!({ "start_time": 5, "end_time": 6 }),
        json!({ "start_time": 4, "app_name": "Mail" }),
        json!({ "start_time": 4, "focused": false }),
    ];
    for with in beside {
        assert_eq!(again(with.clone(), own.clone(), json!([])), Skip, "{with}");
    }
}

/// What is said of a search inside a walk that showed frames at 10, 20, 30 and 40.
fn walked(more: Value, found: &[u64]) -> Verdict {
    let walked =
        json!([at(40, true, "Inkwell"), at(30, false, "inkwell"), at(20, true, "Ledger"), at(10, true, "Ledger")]);
    let found: Vec<Value> = found.iter().map(|time| at(*time, true, "Inkwell")).collect();
    let mut asked = json!({ "start_time": 15, "end_time": 41, "limit": 20 });
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    said("frames-as-walked", json!({}), json!({ "asked": [asked], "walked": walked, "found": found })).verdict
}

fn at(time: u64, focused: bool, app: &str) -> Value {
    json!({ "frame_id": time, "timestamp": time, "app_name": app, "focused": focused, "ocr_snippet": "a lantern of lantern light" })
}

#[rstest]
#[case::all(json!({}), &[40, 30, 20], Pass)]
#[case::one_is_left_out(json!({}), &[40, 20], Fail)]
#[case::another_order(json!({}), &[40, 20, 30], Fail)]
#[case::an_empty_query(json!({ "q": "" }), &[40, 30], Fail)]
#[case::a_query(json!({ "q": "lantern" }), &[40, 30], Skip)]
#[case::a_page(json!({ "limit": 2, "offset": 1 }), &[30, 20], Pass)]
#[case::the_first_page(json!({ "limit": 2, "offset": 1 }), &[40, 30], Fail)]
#[case::focused(json!({ "focused": true }), &[40, 20], Pass)]
#[case::shown_as_unfocused(json!({ "focused": false }), &[], Skip)]
#[case::a_filter(json!({ "app_name": "edge" }), &[20], Pass)]
#[case::a_filter_of_which_the_case_is_free(json!({ "app_name": "Ink" }), &[40], Skip)]
#[case::upon_a_bound(json!({ "end_time": 40 }), &[30, 20], Skip)]
#[case::before_the_walk(json!({ "start_time": 5 }), &[40], Skip)]
#[case::after_the_walk(json!({ "end_time": 90 }), &[40], Skip)]
#[case::without_an_end(json!({ "end_time": null }), &[40], Skip)]
fn a_walk_says_what_is_inside_it(#[case] more: Value, #[case] found: &[u64], #[case] due: Verdict) {
    assert_eq!(walked(more, found), due);
}

#[rstest]
#[case::each(&[40, 30], Pass)]
#[case::one_alone(&[40], Fail)]
#[case::a_stop_word(&[], Skip)]
fn a_word_finds_each_frame_that_shows_it(#[case] found: &[u64], #[case] due: Verdict) {
    let frames = |times: &[u64]| times.iter().map(|time| at(*time, true, "Inkwell")).collect::<Vec<_>>();
    let asked = json!([{ "q": "lantern", "start_time": 25, "end_time": 45, "limit": 20 }]);
    let answer = json!({ "asked": asked, "own": frames(&[40, 30, 20]), "found": frames(found) });
    assert_eq!(said("frames-with-word", json!({}), answer).verdict, due);
}

#[test]
fn what_is_found_inside_a_walk_was_on_it() {
    let frames = |times: &[u64]| times.iter().map(|time| at(*time, true, "Inkwell")).collect::<Vec<_>>();
    let found = |times: &[u64]| {
        said("frames-walked", json!({}), json!({ "walked": frames(&[40, 20, 10]), "found": frames(times) })).verdict
    };
    assert_eq!(found(&[20]), Pass);
    assert_eq!(found(&[30]), Fail);
    assert_eq!(found(&[50, 5]), Skip);
}

#[test]
fn a_walk_that_ended_left_nothing_behind() {
    let said = |last: Value, older: Value| {
        let pages = json!([{ "status": "accepted", "items": [at(40, true, "Inkwell")] }, { "status": "accepted", "items": last }]);
        said("frames-walked-to-the-end", json!({}), json!({ "pages": pages, "older": older })).verdict
    };
    assert_eq!(said(json!([]), json!([at(10, true, "Inkwell")])), Fail);
    assert_eq!(said(json!([]), json!([])), Pass);
    assert_eq!(said(json!([at(30, true, "Inkwell")]), json!([at(10, true, "Inkwell")])), Pass);
}

#[test]
fn behind_a_full_page_there_may_be_older_frames() {
    let newer = |id: u64| json!({ "frame_id": id, "timestamp": 7, "app_name": "Inkwell", "window_name": "Letters" });
    let window = json!({ "start_time": 1, "limit": 2 });
    assert_eq!(again(window.clone(), json!([frame(json!(5))]), json!([newer(1), newer(2)])), Skip);
    assert_eq!(again(window, json!([frame(json!(9))]), json!([newer(1), newer(2)])), Fail);
}

#[test]
fn a_result_is_on_a_page_once() {
    let two_windows = with("window_name", json!("Drafts"));
    assert_eq!(over("frames-unique", json!({}), json!([frame(json!(5)), two_windows])).verdict, Pass);
    assert_eq!(over("frames-unique", json!({}), json!([frame(json!(5)), frame(json!(5))])).verdict, Fail);
    assert_eq!(over("frames-unique", json!({}), json!([frame(json!(5))])).verdict, Skip);
}

#[rstest]
#[case::its_own(json!({ "frame_id": 7, "timestamp": 1_700_000_000 }), Pass)]
#[case::written_otherwise(json!({ "data": { "frame_id": "f-7", "timestamp": "2023-11-14T22:13:20Z" } }), Pass)]
#[case::milliseconds(json!({ "frame_id": 7, "timestamp": 1_700_000_000_000_u64 }), Pass)]
#[case::another(json!({ "frame_id": 8, "timestamp": 1_700_000_000 }), Fail)]
#[case::of_another_time(json!({ "frame_id": 7, "timestamp": 1_700_000_060 }), Fail)]
#[case::a_page(json!({ "title": "Frames" }), Skip)]
#[case::a_picture(json!(null), Skip)]
fn an_address_leads_to_its_own_frame(#[case] body: Value, #[case] verdict: Verdict) {
    let call = json!({ "status": "accepted", "answer": { "body": body },
        "request": { "with": { "frame_url": "/api/v1/frames/7" } } });
    let own = json!([frame(json!(1_700_000_000))]);
    assert_eq!(said("frames-lead-home", json!({}), json!({ "own": own, "frames": [call] })).verdict, verdict);
}

#[rstest]
#[case::its_id(frame(json!(5)), Pass)]
#[case::another_number(with("frame_url", json!("/api/v1/frames/500007")), Fail)]
#[case::a_picture(with("frame_url", json!("/frames/7.png")), Skip)]
#[case::a_text(with("frame_id", json!("f-7")), Skip)]
fn a_number_in_an_address_is_the_id(#[case] item: Value, #[case] verdict: Verdict) {
    assert_eq!(over("frames-named-by-url", json!({}), json!([item])).verdict, verdict);
}

#[test]
fn some_of_several_frames_show_text() {
    let args = json!({ "least": 2 });
    let silent = with("ocr_snippet", json!("  "));
    assert_eq!(over("frames-some-text", args.clone(), json!([silent, frame(json!(5))])).verdict, Pass);
    assert_eq!(over("frames-some-text", args.clone(), json!([silent, silent])).verdict, Fail);
    assert_eq!(over("frames-some-text", args, json!([silent])).verdict, Skip);
}
