//! The corpus of the recall contract while it is written: frames, screens, prose, and random numbers that are the same everywhere.

use serde_json::json;

/// The first id. Ids follow the groups, not the times, so an order by id is not an order by time.
const FIRST_ID: usize = 1001;

/// The frames so far, and what the next random choice comes from.
pub(crate) struct Corpus {
    lines: Vec<String>,
    pub(crate) random: Random,
    vocabulary: Vec<&'static str>,
}

/// What a frame shows around its text.
#[derive(Clone, Copy)]
pub(crate) struct Screen<'a> {
    pub(crate) app: &'a str,
    pub(crate) window: &'a str,
    pub(crate) url: Option<&'a str>,
    pub(crate) focused: Option<bool>,
}

/// A screen with nothing that a case would ask for.
pub(crate) const PLAIN: Screen<'_> = showing("Plainapp", "Plain page", None, Some(true));

pub(crate) const fn showing<'a>(
    app: &'a str,
    window: &'a str,
    url: Option<&'a str>,
    focused: Option<bool>,
) -> Screen<'a> {
    Screen { app, window, url, focused }
}

impl Default for Corpus {
    fn default() -> Self {
        Self { lines: Vec::new(), random: Random(2026), vocabulary: PROSE.split(' ').collect() }
    }
}

impl Corpus {
    /// The frames, one JSON object a line.
    pub(crate) fn ndjson(&self) -> String {
        self.lines.join("\n") + "\n"
    }

    /// Adds a frame. The time is in milliseconds since 1970, and a multiple of 125, so that it is exact in binary too.
    pub(crate) fn push(&mut self, milliseconds: u64, screen: Screen<'_>, text: &str) {
        let timestamp = if milliseconds.is_multiple_of(1000) {
            json!(milliseconds / 1000)
        } else {
            json!(milliseconds as f64 / 1000.0)
        };
        let frame = json!({
            "frame_id": FIRST_ID + self.lines.len(),
            "timestamp": timestamp,
            "app_name": screen.app,
            "window_name": screen.window,
            "browser_url": screen.url,
            "focused": screen.focused,
            "ocr_text": text,
        });
        self.lines.push(frame.to_string());
    }

    /// This many words of prose.
    pub(crate) fn prose(&mut self, words: usize) -> String {
        (0..words).map(|_| self.random.pick(&self.vocabulary)).collect::<Vec<_>>().join(" ")
    }
}

/// A linear congruential generator (Knuth's MMIX): the same numbers everywhere, without a dependency.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The upper bits are the random ones.
        (self.0 >> 33) as usize % end
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The words of the prose: none of them is, holds or begins a word that a case searches for.
const PROSE: &str = "table river window paper garden letter bridge market summer picture kitchen morning station \
    number music island doctor winter shadow engine basket farmer silver castle planet harbor \
    pencil mirror forest candle ticket village button pocket journey corner orange carpet \
    ladder blanket feather hammer lantern meadow needle orchard pepper rocket saddle tunnel \
    velvet wagon yellow anchor bottle cotton desert evening finger glacier";
