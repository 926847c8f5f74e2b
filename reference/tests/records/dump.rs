//! A pack decodes to exactly the notes, links and attachments of the store.

use super::Store;
use super::lines::unescape;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rstest::rstest;
use std::collections::BTreeMap;

#[test]
fn a_pack_decodes_to_the_store() {
    let store = Store::sample();
    let odd = "B-END\n\u{1F600} tail without a line end";
    store.note(
        "qp-odd",
        "title: \"a \\\"b\\\"\\n\\\\c\"\nsummary: ' kept  as it is '\ntags: [x]\nupdated: 2026-01-05T08:00:00Z",
        odd,
    );
    let pack = Pack::read(&store.records("dump"));

    let ids: Vec<&str> = pack.notes.keys().map(String::as_str).collect();
    assert_eq!(ids, ["qp-3e7a", "qp-a1b2", "qp-f14c", "qp-lone", "qp-moc1", "qp-odd"]);
    assert_eq!(
        pack.notes["qp-odd"],
        "fleeting \"a \\\"b\\\"\\n\\\\c\" tags=x updated=2026-01-05T08:00:00Z summary=\" kept  as it is \""
    );
    assert_eq!(unescape("a \\\"b\\\"\\n\\\\c"), "a \"b\"\n\\c");
    assert_eq!(
        pack.notes["qp-3e7a"], "literature \"Paper: X\" tags=paper created=2026-01-02T07:00:00Z",
        "times are told in UTC"
    );
    assert_eq!(pack.bodies["qp-odd"], odd.as_bytes());
    assert_eq!(pack.bodies["qp-f14c"], b"See [[qp-moc1]].\n");
    assert!(!pack.bodies.contains_key("qp-lone"), "an empty body has no lines");
    assert_eq!(pack.sources, ["qp-a1b2 url=https://example.com/a title=\"Say \\\"a\\\"\" accessed=2026-01-02"]);
    assert_eq!(
        pack.links,
        [
            "qp-f14c qp-moc1 type=related inline=true",
            "qp-a1b2 qp-3e7a type=supports inline=false",
            "qp-a1b2 qp-f14c type=related inline=false",
            "qp-a1b2 qp-f14c type=related inline=true",
            "qp-moc1 qp-a1b2 type=related inline=true",
        ]
    );
    assert_eq!(
        pack.attachments,
        [
            (".qipu/attachments/figure.png name=figure.png content_type=image/png".to_owned(), "\u{89}PNG\n".into()),
            (
                ".qipu/attachments/sub/empty.bin name=empty.bin content_type=application/octet-stream".to_owned(),
                Vec::new()
            ),
        ]
    );
    assert_eq!(pack.header, "H pack=1 version=1 store=.qipu/ notes=6 links=5 attachments=2");
}

#[rstest]
#[case("a.txt", "text/plain")]
#[case("a.md", "text/markdown")]
#[case("a.csv", "text/csv")]
#[case("a.html", "text/html")]
#[case("a.htm", "text/html")]
#[case("a.json", "application/json")]
#[case("a.b.pdf", "application/pdf")]
#[case("a.PNG", "image/png")]
#[case("a.jpg", "image/jpeg")]
#[case("a.jpeg", "image/jpeg")]
#[case("a.gif", "image/gif")]
#[case("a.svg", "image/svg+xml")]
#[case("a.webp", "image/webp")]
#[case("a.mp3", "audio/mpeg")]
#[case("a.mp4", "video/mp4")]
#[case("pdf", "application/octet-stream")]
fn the_name_of_an_attachment_tells_its_type(#[case] name: &str, #[case] content_type: &str) {
    let store = Store::empty();
    store.file(&format!("attachments/{name}"), "");
    let line = format!("A .qipu/attachments/{name} name={name} content_type={content_type}\n");
    assert!(store.records("dump").contains(&line));
}

#[test]
fn people_get_the_pack_as_it_is() {
    let store = Store::sample();
    assert_eq!(store.call("dump").out, store.records("dump"));
}

#[derive(Default)]
struct Pack {
    header: String,
    notes: BTreeMap<String, String>,
    bodies: BTreeMap<String, Vec<u8>>,
    sources: Vec<String>,
    links: Vec<String>,
    attachments: Vec<(String, Vec<u8>)>,
}

impl Pack {
    fn read(text: &str) -> Pack {
        let mut pack = Pack::default();
        let mut note = String::new();
        let mut ended = false;
        for line in text.lines() {
            assert!(!ended, "END is the last line");
            let (prefix, rest) = line.split_once(' ').unwrap_or((line, ""));
            match prefix {
                "H" => pack.header = line.to_owned(),
                "N" => {
                    let (id, fields) = rest.split_once(' ').unwrap();
                    note = id.to_owned();
                    assert!(pack.notes.insert(note.clone(), fields.to_owned()).is_none());
                }
                "S" => pack.sources.push(rest.to_owned()),
                "C" => assert!(pack.bodies.insert(note.clone(), STANDARD.decode(rest).unwrap()).is_none()),
                "L" => pack.links.push(rest.to_owned()),
                "A" => pack.attachments.push((rest.to_owned(), Vec::new())),
                "D" => pack.attachments.last_mut().unwrap().1 = STANDARD.decode(rest).unwrap(),
                "C-END" | "D-END" => {}
                "END" => ended = true,
                _ => panic!("a pack has no line {line:?}"),
            }
        }
        assert!(ended);
        pack
    }
}
