//! The workflows of `docs/pull-requests.md`, each step as GitHub runs it, with an API and a release on this machine.

use crate::action::job::{Around, Job, Runner, filled, job_in};
use crate::hub::{Hub, TOKEN};
use crate::release::Release;
use crate::xtask;
use rstest::rstest;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::{TempDir, tempdir};
use testing::{copy, root, said};

/// The steps of a workflow in the document, by its name.
fn steps(name: &str) -> Vec<Value> {
    let text = fs::read_to_string(root().join("docs/pull-requests.md")).unwrap();
    let blocks = text.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut workflows = blocks.map(|block| serde_saphyr::from_str::<Value>(block).unwrap());
    let workflow = workflows.find(|workflow| workflow["name"] == name).unwrap();
    let mut jobs = workflow["jobs"].as_object().unwrap().values();
    jobs.next().unwrap()["steps"].as_array().unwrap().clone()
}

/// What an implementation's workflow did for an event.
struct Ran {
    job: Job,
    hub: Hub,
}

/// Runs the workflow of an implementation in its folder; `cache` is what GitHub keeps from run to run.
fn implementation(event: &str, folder: &Path, cache: &Path) -> Ran {
    let hub = Hub::new(&[], 30);
    let known = [
        ("github.event_name", event),
        ("github.base_ref", "main"),
        ("github.ref_name", "main"),
        ("github.sha", "c0ffee"),
        ("github.event.pull_request.base.sha", "c0ffee"),
    ];
    let known = known.map(|(name, value)| (name, value.to_owned())).to_vec();
    let mut runner = Runner::new(&Around { known, environment: hub.environment(), ..Around::default() });
    runner.program("make", "exit 0");
    let mut job = None;
    for step in steps("conformance") {
        let used = step["uses"].as_str().unwrap_or_default().split('@').next().unwrap();
        let with = |name: &str| {
            let value = step["with"][name].as_str().unwrap();
            // The one expression that is more than a name.
            let value =
                value.replace("${{ github.event_name == 'pull_request' }}", &(event == "pull_request").to_string());
            filled(&value, &runner.known)
        };
        match used {
            _ if !runner.is_due(&step) => {}
            "" => runner.step(&step, folder),
            "actions/checkout" => {}
            "actions/cache/restore" => {
                let kept = cache.join(with("key"));
                if kept.is_file() {
                    fs::create_dir_all(folder.join("base")).unwrap();
                    fs::copy(kept, folder.join(with("path"))).unwrap();
                }
            }
            "actions/cache/save" => drop(fs::copy(folder.join(with("path")), cache.join(with("key"))).unwrap()),
            "OWNER/REPOSITORY" => {
                let inputs: Vec<(&str, String)> =
                    step["with"].as_object().unwrap().keys().map(|name| (name.as_str(), with(name))).collect();
                let mut inputs: Vec<(&str, &str)> =
                    inputs.iter().map(|(name, value)| (*name, value.as_str())).collect();
                inputs.extend([("token", TOKEN), ("arguments", "--case\nheader/context")]);
                let (environment, caller) = (hub.environment(), Some(folder.to_owned()));
                let done = job_in(&inputs, &Around { environment, caller, ..Around::default() });
                runner.note(done.last.code);
                job = Some(done);
            }
            other => panic!("nothing plays {other}"),
        }
    }
    Ran { job: job.unwrap(), hub }
}

#[test]
fn an_implementation_is_compared_with_its_base() {
    let (folder, cache) = (tempdir().unwrap(), tempdir().unwrap());
    let program = folder.path().join("program.sh");
    let reference = testing::reference().unwrap().display();
    let write = |filter: &str| fs::write(&program, format!("'{reference}' qipu \"$@\" | {filter}\n")).unwrap();
    let endpoint = format!("[[endpoint]]\ncontract = \"records\"\ncli = [\"sh\", {:?}]\n", program.to_str().unwrap());
    fs::write(folder.path().join("conformance.toml"), format!("name = \"my program\"\n{endpoint}")).unwrap();

    write("cat");
    let first = implementation("pull_request", folder.path(), cache.path());
    assert_eq!(first.job.last.code, Some(0), "{}", first.job.last.out);
    assert!(first.hub.bodies()[0].contains("There is no log of the base branch"), "{:?}", first.hub.bodies());

    let base = implementation("push", folder.path(), cache.path());
    assert_eq!(base.job.last.code, Some(0), "{}", base.job.last.out);
    assert!(base.job.commented.is_none() && cache.path().join("conformance-log-main-c0ffee").is_file());

    fs::remove_dir_all(folder.path().join("base")).unwrap();
    write("sed 's/ truncated=false/ truncated=true/'");
    let worse = implementation("pull_request", folder.path(), cache.path());
    assert_eq!(worse.job.last.code, Some(1), "{}", worse.job.last.out);
    assert!(worse.hub.bodies()[0].contains("## Between the two runs: 1 worse"), "{:?}", worse.hub.bodies());
}

/// A repository of contracts whose checkout is the merge of a pull request, with the log of an implementation.
fn contracts(change: impl FnOnce(&Path)) -> TempDir {
    let folder = tempdir().unwrap();
    let git = |words: &str| {
        let mut git = Command::new("git");
        git.current_dir(folder.path()).args(["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]);
        let said = said(git.args(words.split(' ')));
        assert_eq!(said.code, Some(0), "git {words}: {}", said.err);
    };
    for name in ["schemas", "fixtures"] {
        copy(&root().join(name), &folder.path().join(name));
    }
    fs::create_dir(folder.path().join("runs")).unwrap();
    let ran =
        said(xtask(&["verify", "memory", "--case", "answer", "-q", "--log"]).arg(folder.path().join("runs/a.ndjson")));
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    git("init --quiet --initial-branch main");
    git("add --all");
    git("commit --quiet -m Contracts");
    git("checkout --quiet -b work");
    change(folder.path());
    git("commit --quiet --all -m Change");
    git("checkout --quiet main");
    git("merge --quiet --no-ff -m Merge work");
    folder
}

#[rstest]
fn a_change_of_contracts_says_who_breaks_and_what_approves_it() {
    let folder = contracts(|folder| {
        let edit = |file: &str, change: &dyn Fn(&mut Value)| {
            let path = folder.join(file);
            let mut value: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
            change(&mut value);
            fs::write(path, format!("{value:#}\n")).unwrap();
        };
        edit("schemas/memory/contract.json", &|contract| {
            let new = json!({ "id": "memory.count-even", "level": "must", "origin": "stated",
                              "section": "Response Structure (Always Same)", "text": "`count` is even." });
            contract["requirements"].as_array_mut().unwrap().push(new);
        });
        edit("fixtures/memory/always.json", &|always| {
            let check = json!({ "of": ["search"], "check": { "requirement": "memory.count-even",
                "select": "@.answer.body.count", "schema": { "multipleOf": 2 }, "broken_by": [{ "about": "one too many",
                "also": ["memory.count-entries"], "patch": [{ "op": "replace", "path": "/answer/body/count", "value": 3 }] }] } });
            always["checks"].as_array_mut().unwrap().push(check);
        });
    });
    let (hub, release) = (Hub::new(&[], 30), Release::of_the_runner());
    let environment =
        [hub.environment(), vec![("HOME", folder.path().join("home").to_str().unwrap().to_owned())]].concat();
    let known = vec![("github.token", TOKEN.to_owned())];
    let mut runner = Runner::new(&Around { environment, known, ..Around::default() });
    // The release is on this machine, and the script that it has knows that.
    let script = fs::read_to_string(release.file("install.sh")).unwrap();
    let github = "https://github.com/OWNER/REPOSITORY/releases/latest/download";
    assert!(script.contains(github));
    fs::write(release.file("install.sh"), script.replace(github, release.address())).unwrap();
    let curl = said(Command::new("sh").args(["-c", "command -v curl"])).out;
    runner.program(
        "curl",
        &format!("exec {} $(printf '%s ' \"$@\" | sed 's|{github}|{}|')", curl.trim(), release.address()),
    );
    for step in steps("contracts") {
        runner.step(&step, folder.path());
    }
    let diff = &runner.said["diff"];
    assert_eq!(diff.code, Some(1), "it has no reason yet: {}", diff.err);
    let body = &hub.bodies()[0];
    assert!(body.starts_with("<!-- retrieval-contracts: contracts -->\n# Contracts: HEAD^1 ("), "{body}");
    let is_told =
        |line: &str| line.starts_with("- reference: memory.count-even over http") && line.ends_with(" is violated now");
    assert!(body.lines().any(is_told), "{body}");
    assert!(body.contains("schemas/memory/changes.md\n## Erratum of revisions 1, 2\n- `"), "{body}");
}
