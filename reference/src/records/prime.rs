//! The mode `prime`, the first step of the "Progressive disclosure workflow": what this is, what can be asked, which
//! maps there are, and the notes made last.

use super::record::{Answer, Field, Record, header};
use super::store::Store;

/// Explains a store to a reader who has never seen one.
const DESCRIPTION: &str = "A store of short Markdown notes, tagged and linked with each other; maps of content (M) are \
                           good places to start, and every id can be given to the commands below.";

/// The commands, with dots for spaces.
const COMMANDS: [(&str, &str); 5] = [
    ("context", "Print chosen notes; --with-body adds their full text"),
    ("link.tree", "Print what can be reached from a note"),
    ("link.path", "Print a shortest way between two notes"),
    ("link.list", "Print the links of a note"),
    ("dump", "Print the whole store as a pack"),
];

/// How many notes are recent.
const RECENT: usize = 10;

/// Answers `prime`; maps are on `M` lines and not repeated among the notes.
pub(crate) fn answer(store: &Store) -> Answer {
    let mut records = vec![Record::D { text: DESCRIPTION.to_owned() }];
    records.extend(COMMANDS.map(|(name, about)| Record::C { name: name.to_owned(), about: about.to_owned() }));
    let (maps, notes): (Vec<_>, Vec<_>) = store.notes.iter().partition(|note| note.is_map());
    records.extend(maps.iter().map(|map| Record::M {
        id: map.id.clone(),
        title: map.title.clone(),
        tags: map.tags.clone(),
    }));
    // An undated note sorts last, yet nothing says that it is recent.
    let dated = notes.iter().filter(|note| note.created.is_some()).count();
    let undated = &notes[dated..];
    let recent = &notes[dated.saturating_sub(RECENT)..dated];
    let spare = RECENT - recent.len();
    for note in recent.iter().chain(undated.iter().take(spare)) {
        records.push(Record::note(note));
        records.extend(Record::summary(note));
    }
    let mut header = header(&store.relative, "prime");
    header.extend([
        ("mocs", Field::Number(maps.len())),
        ("notes", Field::NotesPrinted),
        ("truncated", Field::Truncated),
    ]);
    Answer { header, records, is_pack: false }
}
