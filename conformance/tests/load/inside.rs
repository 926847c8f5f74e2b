//! A folder of cases and corpora that was given reads nothing outside of itself.

use super::sound::{CASE, CONTRACT, Sound, comparison};
use conformance::load::Suite;
use rstest::rstest;
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// What is wrong with the sound suite's own `fixtures` as a folder that was given.
fn problems(suite: &Sound) -> String {
    match Suite::load_with(suite.path(), &suite.path().join("fixtures")) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[rstest]
#[case::absolute("/etc/hostname")]
#[case::above("../cases/brew/hot.json")]
#[case::above_in_the_middle("a/../../cases/brew/hot.json")]
#[case::nothing("")]
fn a_golden_is_below_its_folder(#[case] name: &str) {
    let suite = Sound::suite();
    suite.edit(CASE, |case| comparison(case, "golden", json!(name)));
    let found = problems(&suite);
    assert!(found.contains(&format!("`{name}` leads out of its folder: name a file below it")), "{found}");
}

#[rstest]
#[case::absolute("corpus//etc")]
#[case::above("corpus/../cases")]
fn a_part_of_a_corpus_is_below_it(#[case] needs: &str) {
    let suite = Sound::suite();
    suite.edit(CASE, |case| case["needs"] = json!([needs]));
    let found = problems(&suite);
    assert!(found.contains("leads out of its folder: name a file below it"), "{found}");
}

#[test]
fn what_a_corpus_is_recognised_by_is_below_it() {
    let suite = Sound::suite();
    let look = json!({ "call": "brew", "of": "../cases/brew/hot.json", "name": "/about", "marks": ["/about"] });
    suite.write_json("fixtures/tea/corpus/sentinel.json", &json!({ "about": "", "looks": [look] }));
    let found = problems(&suite);
    assert!(found.contains("`../cases/brew/hot.json` leads out of its folder"), "{found}");
}

#[test]
fn a_link_stays_inside() {
    let suite = Sound::suite();
    let corpus = suite.path().join("fixtures/tea/corpus");
    fs::create_dir_all(&corpus).unwrap();
    symlink("../cases", corpus.join("inside")).unwrap();
    assert_eq!(problems(&suite), "");
    for (name, target) in [("file", CONTRACT), ("folder", "schemas"), ("nowhere", "gone")] {
        symlink(suite.path().join(target), corpus.join(name)).unwrap();
    }
    let found = problems(&suite);
    for name in ["file", "folder", "nowhere"] {
        assert!(found.contains(&format!("corpus/{name}: is a link that leads out of the folder")), "{found}");
    }
}

#[rstest]
#[case::a_case("cases/pipe.json")]
#[case::a_document("corpus/pipe")]
fn a_named_pipe_is_not_waited_for(#[case] name: &str) {
    let suite = Sound::suite();
    let pipe = suite.path().join("fixtures/tea").join(name);
    fs::create_dir_all(pipe.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let found = problems(&suite);
    assert!(found.contains(&format!("{name}: is neither a file nor a folder")), "{found}");
}
