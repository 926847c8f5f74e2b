//! Writes the corpus of the recall contract: screen frames in groups, each made for one kind of question.
//!
//! The corpus is generated so that it reads as a list of reasons, and grows without anybody editing a thousand lines by
//! hand. The text is the same on every machine. The README beside the corpus lists the words and times that cases use. A
//! word that a case searches for is in the text of its own frames alone: never in a title, a URL or the prose that fills
//! the rest.

use super::recall_corpus::{Corpus, PLAIN, showing};

/// The frames, one JSON object a line, in the order of their ids.
pub(crate) fn ndjson() -> String {
    let mut corpus = Corpus::default();
    everyday(&mut corpus);
    ties(&mut corpus);
    equal_pairs(&mut corpus);
    scores(&mut corpus);
    literals(&mut corpus);
    filters(&mut corpus);
    displays(&mut corpus);
    focus(&mut corpus);
    bounds(&mut corpus);
    filtered_words(&mut corpus);
    scripts(&mut corpus);
    two_words(&mut corpus);
    single_words(&mut corpus);
    future(&mut corpus);
    tandem(&mut corpus);
    numbers(&mut corpus);
    marks(&mut corpus);
    signs_of_addresses(&mut corpus);
    one_second(&mut corpus);
    corpus.ndjson()
}

/// A text with the word of more than a thousand frames at its end, for a walk that is longer than any cap.
fn with_almanac(text: String) -> String {
    text + " Almanac"
}

/// A week of ordinary work, ten minutes apart, a third of the moments fractional: what every other frame must be found among.
fn everyday(corpus: &mut Corpus) {
    // App, title, URL.
    const SCREENS: &[&str] = &[
        "Terminal|cargo build|",
        "Inkwell|Minutes of the meeting|",
        "Browserly|Weather for the weekend|https://weather.example/weekend",
        "Browserly|Inbox|https://mail.example.org/inbox?page=2#top",
        "Ledgerline|Budget 2023|",
        "Firelynx|Timetable of trains|http://trains.example.net:8080/timetable",
        "Chatterbox|Team room|",
        "Paintpot|Untitled drawing|",
    ];
    const FOCUS: [Option<bool>; 4] = [Some(true), Some(true), Some(false), None];
    for number in 0..600 {
        let fraction = [0, 125, 0][number as usize % 3] * (corpus.random.below(8) as u64);
        let seconds = number * 600 + corpus.random.below(500) as u64;
        let moment = 1_700_000_000_000 + seconds * 1000 + fraction;
        let mut parts = corpus.random.pick(SCREENS).split('|');
        let (app, window) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let url = parts.next().filter(|url| !url.is_empty());
        let focused = corpus.random.pick(&FOCUS);
        let length = 12 + corpus.random.below(50);
        let text = with_almanac(corpus.prose(length));
        corpus.push(moment, showing(app, window, url, focused), &text);
    }
}

/// Hundreds of frames of one moment, a hundred of them with one word, forty of those the same in everything but the id;
/// twenty more with that word at two other moments; and a smaller crowd without a word of its own.
fn ties(corpus: &mut Corpus) {
    const MOMENT: u64 = 1_700_500_000_000;
    let crowd = showing("Stillframe", "Crowd", None, None);
    let small_crowd = showing("Stillframe", "Small crowd", None, None);
    let same = with_almanac(format!("Kestrel {}", corpus.prose(11)));
    for number in 0..320 {
        // Every text has as many words, so that the length tells no two apart.
        let text = match number % 16 {
            0 | 8 => same.clone(),
            2 | 5 | 11 => with_almanac(format!("Kestrel tie{number:03} {}", corpus.prose(10))),
            _ => with_almanac(format!("tie{number:03} {}", corpus.prose(11))),
        };
        corpus.push(MOMENT, crowd, &text);
    }
    for (moment, name) in [(1_700_510_000_000, "early"), (1_700_520_000_500, "late")] {
        for number in 0..10 {
            let text = with_almanac(format!("Kestrel {name}{number} {}", corpus.prose(10)));
            corpus.push(moment, crowd, &text);
        }
    }
    for number in 0..45 {
        let text = with_almanac(format!("crowd{number:02} {}", corpus.prose(11)));
        corpus.push(1_700_800_000_250, small_crowd, &text);
    }
}

/// Two frames the same in text and titles, an older and a newer: the newer must come first, whichever has the greater id.
fn equal_pairs(corpus: &mut Corpus) {
    const WORDS: &str = "Vellichor Bumbershoot Snollygoster Widdershins Taradiddle Flapdoodle \
        Cattywampus Hullabaloo";
    for (number, word) in (0..).zip(WORDS.split(' ')) {
        let text = format!("{word} {}", corpus.prose(11));
        let old = 1_700_600_000_000 + number * 1_000_000;
        let mut moments = [old, old + 500_000];
        if number % 2 == 1 {
            moments.reverse();
        }
        for moment in moments {
            corpus.push(moment, PLAIN, &text);
        }
    }
}

/// A word three times in twelve, and in a newer frame once in twelve.
fn scores(corpus: &mut Corpus) {
    for (number, word) in (0..).zip(["Gallimaufry", "Brouhaha", "Skedaddle"]) {
        let moment = 1_700_700_000_000 + number * 1_000_000;
        let gaps = [corpus.prose(3), corpus.prose(3), corpus.prose(3)];
        let often = gaps.map(|gap| format!("{word} {gap}")).join(" ");
        let once = format!("{} {word} {}", corpus.prose(5), corpus.prose(6));
        let mut frames = [(moment, often), (moment + 500_000, once)];
        if number == 1 {
            frames.reverse();
        }
        for (moment, text) in frames {
            corpus.push(moment, PLAIN, &text);
        }
    }
}

/// Texts with characters that a query language could take for operators, each beside others that look like it.
fn literals(corpus: &mut Corpus) {
    const TEXTS: &[&str] = &[
        "Compiled the C++ module of the parser again",
        "A C++ header lay open beside the notes",
        "Slides about C++ templates, page nine",
        "The C compiler printed nothing",
        "Grade C+ in the third column",
        "C + + with gaps between the signs",
        "Battery at 100% since noon",
        "Upload 100% done",
        "Progress 100 percent",
        "Counted 1000 rows, then 100 rows",
        "Discount of 10% on lamps",
        "Key foo:bar in the settings",
        "Key foo bar in the settings",
        "Key bar:foo in the settings",
        "Rename it to snake_case today",
        "Rename it to snakexcase today",
        "Rename it to snake case today",
        "The path back\\slash was wrong",
        "The path back/slash was wrong",
        "The path backslash was wrong",
        "The path back slash was wrong",
        "A 5\" disk lay on the desk",
        "A 5 inch disk lay on the desk",
        "She wrote \"red balloon\" on the board",
        "She wrote red balloon on the board",
        "A balloon, large, round, red",
        "Footnote * explains the sum",
        "The pattern auto* was typed",
        "The automatic door was open, the autopilot off, the auto parked",
        "Formula NEAR( left unfinished",
        "The shop is NEAR the old mill",
        "Ran tar -x on the archive",
        "Ran tar x on the archive",
        "The x axis of the chart",
        "Choose NOT to ship, OR wait, AND see",
        "Sum of (a + b) ^ 2 in {braces}",
    ];
    for (number, text) in (0..).zip(TEXTS) {
        corpus.push(1_700_710_000_000 + number * 10_000, PLAIN, text);
    }
}

/// Values with a substring in the middle of a word, with wildcards as plain characters and in other scripts, in each of
/// the three fields that have a filter. The first value of a row has the row's substring, the others must not match it.
fn filters(corpus: &mut Corpus) {
    const ROWS: &[&[&str]] = &[
        &["Foxglovebrowser", "Fox glove browser"],
        &["Disk 50% full", "Disk 50 full", "Disk 500 full"],
        &["Data_base studio", "Dataxbase studio", "Data base studio"],
        &["Odd st*r map", "Odd star map", "Odd str map"],
        &["Say \"Hi\" loud", "Say Hi loud"],
        &["On C:\\Work\\Notes", "On C:/Work/Notes", "On C:WorkNotes"],
        &["大阪メモ帳", "京都メモ帳"],
        &["Мои Заметки", "Мои Задачи"],
    ];
    in_each_field(corpus, 1_700_720_000_000, ROWS, &[PLAIN.focused], |corpus| with_almanac(corpus.prose(15)));
}

/// Each value in the three fields that have a filter, every ten seconds.
fn in_each_field(
    corpus: &mut Corpus,
    from: u64,
    rows: &[&[&str]],
    focus: &[Option<bool>],
    text: fn(&mut Corpus) -> String,
) {
    let (mut moment, mut focus) = (from, focus.iter().cycle());
    for value in rows.iter().copied().flatten() {
        let url = format!("https://plain.example/{}/end", value.replace(' ', "-"));
        let (app, window, known) = (PLAIN.app, PLAIN.window, focus.next().copied().flatten());
        let screens = [
            showing(value, window, None, known),
            showing(app, value, None, known),
            showing(app, window, Some(&url), known),
        ];
        for screen in screens {
            let text = text(corpus);
            corpus.push(moment, screen, &text);
            moment += 10_000;
        }
    }
}

/// Texts that must not reach a display as they are, and texts with nothing in them.
fn displays(corpus: &mut Corpus) {
    let long = corpus.prose(180);
    let texts = [
        "Palimpsest \u{1b}[31mred\u{1b}[0m \u{7} bell \u{8} back".to_owned(),
        "Palimpsest\n\n\tindented\r\n\tline\n\n\n\nlast  line  ".to_owned(),
        "Palimpsest invoice \u{202e}fdp.exe\u{202c} \u{2066}isolated\u{2069} \u{202a}embedded".to_owned(),
        "Palimpsest \u{9b}31m control \u{85} next \u{7f} delete".to_owned(),
        format!("Palimpsest {long} Rhododendron"),
        format!("Palimpsest {}", "unbroken".repeat(100)),
        "Palimpsest <script>alert(1)</script> & <b>bold</b>".to_owned(),
        format!("Palimpsest a{} stacked", "\u{301}".repeat(300)),
        format!("{}Palimpsest after blank lines", "\n".repeat(600)),
        format!("Palimpsest {}", "語".repeat(700)),
        String::new(),
        String::new(),
        String::new(),
        "  \n\t \r\n ".to_owned(),
    ];
    for (number, text) in (0..).zip(texts) {
        corpus.push(1_700_730_000_000 + number * 10_000, PLAIN, &text);
    }
}

/// Ten frames focused, ten not, ten of which nobody knows.
fn focus(corpus: &mut Corpus) {
    for number in 0..30_u64 {
        let focused = [Some(true), Some(false), None][number as usize % 3];
        let text = with_almanac(format!("Focalpoint {}", corpus.prose(14)));
        let screen = showing(PLAIN.app, PLAIN.window, None, focused);
        corpus.push(1_700_740_000_000 + number * 10_000, screen, &text);
    }
}

/// Moments to draw the bounds of a window between, and upon.
fn bounds(corpus: &mut Corpus) {
    for offset in [0, 10_000, 10_250, 20_000, 30_000] {
        let text = format!("Boundarystone {}", corpus.prose(14));
        corpus.push(1_700_750_000_000 + offset, PLAIN, &text);
    }
}

/// One word under three apps, with every kind of focus, for filters together with a query.
fn filtered_words(corpus: &mut Corpus) {
    for number in 0..25_u64 {
        let url = format!("https://sweets.example/almond/{number}");
        let focused = [Some(true), Some(false), None][number as usize % 3];
        let screen = match number % 5 {
            0 | 1 => showing("Ledgerline", "Recipes", None, focused),
            2 | 3 => showing("Inkwell", "Shopping list", None, focused),
            _ => showing("Browserly", "Sweets", Some(&url), focused),
        };
        let text = format!("{} Marzipan {}", corpus.prose(6), corpus.prose(9));
        corpus.push(1_700_760_000_000 + number * 100_000, screen, &text);
    }
}

/// Words of many scripts, spaces around each.
fn scripts(corpus: &mut Corpus) {
    const TEXTS: &[&str] = &[
        "東京 会議 資料",
        "会議 の 予定 明日",
        "오늘 회의록 작성",
        "Собрание начнётся завтра",
        "موعد اجتماع غدا",
        "कल बैठक होगी",
        "วันนี้ ประชุม ใหญ่",
        "Μάθημα Ελληνικά απόψε",
        "Such naïveté again",
        "Die lange Straße nach Norden",
        "Launch 🚀 tonight",
        "Ferry to İstanbul tomorrow",
    ];
    for (number, text) in (0..).zip(TEXTS) {
        corpus.push(1_700_770_000_000 + number * 10_000, PLAIN, text);
    }
}

/// Frames with one of two words and frames with both.
fn two_words(corpus: &mut Corpus) {
    let texts = ["Copperfield"; 4].iter().chain(&["Nightjar"; 5]).chain(&["Copperfield beside Nightjar"; 3]);
    for (number, words) in (0..).zip(texts) {
        let text = format!("{words} {}", corpus.prose(10));
        corpus.push(1_700_780_000_000 + number * 10_000, PLAIN, &text);
    }
}

/// Words of one frame each.
fn single_words(corpus: &mut Corpus) {
    let library = "https://library.example/room/7";
    let browser = showing("Firelynx", "Reading room", Some(library), None);
    let unfocused = showing(PLAIN.app, PLAIN.window, None, Some(false));
    for (moment, screen, word) in [
        (1_700_790_000_000, PLAIN, "Zephyrine"),
        (1_700_791_000_500, browser, "Quokkaville"),
        (1_700_792_000_000, unfocused, "Thistledown"),
    ] {
        let text = format!("{} {word} {}", corpus.prose(4), corpus.prose(9));
        corpus.push(moment, screen, &text);
    }
}

/// A frame of the year 2100, and one of the past with the same word.
fn future(corpus: &mut Corpus) {
    for moment in [1_700_900_000_000, 4_102_444_800_000] {
        let text = format!("Clairvoyance {}", corpus.prose(12));
        corpus.push(moment, PLAIN, &text);
    }
}

/// Frames that are equal but for their times, which neither rise nor fall with the ids: pages of a query have to be laid in order.
fn tandem(corpus: &mut Corpus) {
    let text = format!("Velocipede {}", corpus.prose(11));
    for number in 0..30_u64 {
        corpus.push(1_700_810_000_000 + number * 7 % 30 * 10_000, PLAIN, &text);
    }
}

/// Names that look like numbers or truth values, each beside others that have the same value and another text.
fn numbers(corpus: &mut Corpus) {
    const NAMES: &[&str] = &["2048", "2049", "007", "7", "1e3", "1000", "3.14", "3x14", "true", "1"];
    for (number, name) in (0..).zip(NAMES) {
        let text = corpus.prose(12);
        corpus.push(1_700_820_000_000 + number * 10_000, showing(name, PLAIN.window, None, Some(true)), &text);
    }
}

/// More values for filters: punctuation that patterns, lists and texts of query languages use.
fn marks(corpus: &mut Corpus) {
    const ROWS: &[&[&str]] = &[
        &["Notes by O'Brien", "Notes by OBrien"],
        &["Cell a[0] of it", "Cell a0 of it"],
        &["Draft (old) copy", "Draft old copy"],
        &["Version v1.2 notes", "Version v1x2 notes"],
        &["Maps.and.trains", "Mapsxandxtrains"],
    ];
    const FOCUS: &[Option<bool>] = &[Some(true), Some(false), None];
    in_each_field(corpus, 1_700_830_000_000, ROWS, FOCUS, |corpus| {
        format!("{} Ephemeris {}", corpus.prose(5), corpus.prose(9))
    });
}

/// Values that change where an address is decoded twice, or a plus is taken for a space.
fn signs_of_addresses(corpus: &mut Corpus) {
    const ROWS: &[&[&str]] = &[&["Sum 1+1 sheet", "Sum 11 sheet"], &["Code %41 table"]];
    in_each_field(corpus, 1_700_840_000_000, ROWS, &[Some(true), None, Some(false)], |corpus| corpus.prose(15));
}

/// A pair that is equal but for half a second, the older with the greater id.
fn one_second(corpus: &mut Corpus) {
    let text = format!("Lollygag {}", corpus.prose(11));
    for moment in [1_700_850_000_500, 1_700_850_000_000] {
        corpus.push(moment, PLAIN, &text);
    }
}
