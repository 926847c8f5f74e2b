//! Line by line: what each belongs to, and how it departs from the exact form.

use super::form::{Before, Indent, control_character};
use super::record::{Header, Record};
use super::style::Style;
use crate::format::{Line, Parsed, Part, problem, unreadable};
use crate::model::Problem;
use crate::text::inert;
use serde_json::{Value, json};

/// A heading.
pub(super) struct Section {
    pub(super) name: String,
    pub(super) line: usize,
    /// How many records it says to have.
    pub(super) count: Option<u64>,
}

/// An outline that is being read.
pub(super) struct Reader {
    style: &'static Style,
    session: Option<String>,
    tick: Option<u64>,
    pub(super) sections: Vec<Section>,
    /// The first of the known sections that may still come.
    next_section: usize,
    pub(super) records: Vec<Record>,
    /// The records that the next header may stand below: where each stands, and how far it is indented.
    above: Vec<(usize, usize)>,
    /// Whether text may still belong to the last record.
    open: bool,
    /// The line of a summary at the left edge, behind the last header: where no header follows, it is none.
    at_the_edge: Option<usize>,
    /// How far a header was indented that could not be read: what is deeper belongs to it.
    unread: Option<usize>,
    /// The kind of the last line that is not blank.
    before: Before,
    blanks: usize,
    pub(super) problems: Vec<Problem>,
}

impl Reader {
    pub(super) fn of(style: &'static Style) -> Self {
        Self {
            style,
            session: None,
            tick: None,
            sections: Vec::new(),
            next_section: 0,
            records: Vec::new(),
            above: Vec::new(),
            open: false,
            at_the_edge: None,
            unread: None,
            before: Before::Start,
            blanks: 0,
            problems: Vec::new(),
        }
    }

    pub(super) fn read(mut self, lines: &[&str]) -> Self {
        let (body, ended) = match lines {
            [] | [""] => (&[][..], true),
            [body @ .., ""] => (body, true),
            body => (body, false),
        };
        for (at, line) in body.iter().enumerate() {
            self.line(at + 1, line);
        }
        self.end(body, ended);
        self
    }

    fn line(&mut self, number: usize, line: &str) {
        let mut text = line;
        if let Some(stripped) = text.strip_suffix('\r') {
            text = stripped;
            self.problem("carriage-return", number, text.chars().count() + 1, "expected LF alone, came CR LF");
        }
        let bare = text.trim_end_matches([' ', '\t']);
        if bare.len() < text.len() {
            let column = bare.chars().count() + 1;
            self.problem("trailing-space", number, column, "expected the end of the line, came white space");
        }
        if let Some(column) = control_character(bare) {
            self.problem("control-character", number, column, "expected text, came a control character");
        }
        let read = self.style.grammar.line(bare).ok();
        let Some(part) = read.as_ref().and_then(Line::part).filter(|part| part.rule() != "blank") else {
            self.blanks += 1;
            return;
        };
        let kind = match part.rule() {
            "header" => self.header(number, part),
            "heading" => self.heading(number, part),
            "label" => self.label(number, part),
            "snippet" => self.snippet(number, part),
            "hidden" => self.hidden(number, bare, part),
            _ => self.text(number, bare, part),
        };
        if kind != Before::Astray {
            self.unread = None;
        }
        self.before = kind;
        self.blanks = 0;
    }

    fn header(&mut self, number: usize, part: Part<'_>) -> Before {
        self.blanks_before_a_header(number);
        self.record(number, Header::read(part))
    }

    fn record(&mut self, number: usize, header: Header) -> Before {
        self.at_the_edge = None;
        for (code, column, message) in header.departures() {
            self.problem(code, number, column, message);
        }
        let width = self.indent(number, &header.indent);
        let is_no_child = self.style.is_second && self.records.last().is_some_and(|last| width <= last.width);
        if is_no_child && self.blanks == 0 && matches!(self.before, Before::Summary | Before::Snippet) {
            self.problem("siblings-joined", number, 1, "expected a blank line between siblings, came none");
        }
        while self.above.last().is_some_and(|(_, above)| *above >= width) {
            self.above.pop();
        }
        let parent = self.above.last().copied();
        match parent {
            None if width > 0 && self.is_first_of_its_section() => {
                let message = format!("expected the first record at column 1, came {width} spaces before it");
                self.problem("first-indent", number, 1, message);
            }
            Some((_, above)) if width > above + 3 => {
                let message = format!("expected at most {} spaces below the line above, came {width}", above + 2);
                self.problem("depth-jump", number, 1, message);
            }
            _ => {}
        }
        let parent = parent.map(|(at, _)| self.records[at].id.clone());
        let section = self.sections.last().map(|section| section.name.clone());
        self.above.push((self.records.len(), width));
        self.records.push(header.into_record(self.style, self.above.len() - 1, width, parent, section, number));
        self.open = true;
        Before::Header
    }

    /// Nothing of this section was read yet.
    fn is_first_of_its_section(&self) -> bool {
        let begins = self.sections.last().map_or(0, |section| section.line);
        self.records.last().is_none_or(|record| record.line < begins)
    }

    fn heading(&mut self, number: usize, part: Part<'_>) -> Before {
        let (mut mark, mut gap, mut name, mut count) = ("", None, "", None);
        for part in part.within() {
            match part.rule() {
                "mark" => mark = part.text(),
                "gap" => gap = gap.or(Some(part.text())),
                "number" => count = part.text().parse().ok(),
                _ => name = part.text().trim(),
            }
        }
        if mark != self.style.mark || gap != Some(" ") || (self.style.is_second && count.is_none()) {
            let form = self.style.heading();
            self.problem("section-name", number, 1, format!("expected `{form}` for the heading of a section"));
        }
        self.section(number, name, count)
    }

    fn section(&mut self, number: usize, name: &str, count: Option<u64>) -> Before {
        self.blank_lines(number, usize::from(self.before != Before::Start));
        match self.style.sections.iter().position(|known| *known == name) {
            None => {
                let message = format!("expected a section {}, came {name:?}", self.style.named());
                self.problem("section-name", number, 1, message);
            }
            Some(place) => {
                if place < self.next_section {
                    let order = self.style.sections.join(", ");
                    let message = format!("expected the order {order}, came {name} late or again");
                    self.problem("section-order", number, 1, message);
                }
                self.next_section = self.next_section.max(place + 1);
            }
        }
        self.sections.push(Section { name: name.to_owned(), line: number, count });
        self.above.clear();
        self.open = false;
        Before::Heading
    }

    /// `session: …` before anything else, or the name of a section with a colon behind it.
    fn label(&mut self, number: usize, part: Part<'_>) -> Before {
        let whole = part.text();
        let (mut key, mut gap, mut value, mut tick) = ("", None, "", None);
        for part in part.within() {
            match part.rule() {
                "key" => key = part.text(),
                "gap" => gap = gap.or(Some(part.text())),
                "number" => tick = part.text().parse().ok(),
                _ => value = part.text(),
            }
        }
        if value.is_empty() {
            let message = format!("expected a section as `{}`, came a label", self.style.heading());
            self.problem("section-name", number, 1, message);
            return self.section(number, key, None);
        }
        if !self.records.is_empty() || !self.sections.is_empty() {
            return self.astray(number, whole);
        }
        let is_first = self.before == Before::Start && self.blanks == 0;
        if key != "session" || gap != Some(" ") || !is_first || (self.style.is_second && tick.is_none()) {
            let tick = if self.style.is_second { ", ` | tick: ` and a number" } else { "" };
            let message = format!("expected `session: ` and its id{tick} on the first line alone, came {key:?}");
            self.problem("preamble", number, 1, message);
        }
        if key == "session" {
            self.session.get_or_insert_with(|| value.to_owned());
            self.tick = self.tick.or(tick);
        }
        Before::Envelope
    }

    /// How many children a record does not show.
    fn hidden(&mut self, number: usize, line: &str, part: Part<'_>) -> Before {
        let mut parts = part.within();
        let indent = Indent::of(parts.next().map_or("", |part| part.text()));
        let count = parts.next().and_then(|part| part.text().parse().ok());
        match self.records.last_mut().filter(|record| self.open && indent.width() > record.width) {
            Some(record) => record.hidden = count,
            None => return self.astray(number, line),
        }
        self.inner_blank(number);
        Before::Summary
    }

    fn snippet(&mut self, number: usize, part: Part<'_>) -> Before {
        let whole = part.text();
        let mut parts = part.within();
        let indent = Indent::of(parts.next().map_or("", |part| part.text()));
        let gap = parts.next().map_or("", |part| part.text());
        let words = parts.last().map_or("", |part| part.text());
        let Some(width) = self.open.then(|| self.records.last().map_or(0, |record| record.width)) else {
            return self.astray(number, whole);
        };
        self.inner_blank(number);
        if indent.tabs > 0 || indent.spaces != width + 2 || gap != " " {
            let came = indent.width();
            let message = format!("expected {} spaces and `> ` before a snippet, came {came}", width + 2);
            self.problem("snippet-place", number, 1, message);
        }
        if let Some(record) = self.records.last_mut() {
            record.snippets.push(words.to_owned());
        }
        Before::Snippet
    }

    /// A line of a summary, or one that belongs nowhere.
    fn text(&mut self, number: usize, line: &str, part: Part<'_>) -> Before {
        let mut parts = part.within();
        let indent = Indent::of(parts.next().map_or("", |part| part.text()));
        let parts: Vec<_> = parts.collect();
        let words = parts.last().map_or("", |part| part.text());
        let is_escaped = parts.len() > 1;
        if self.unread.is_some_and(|unread| indent.width() > unread) {
            return Before::Astray;
        }
        let width = self.records.last().map_or(0, |record| record.width);
        let is_deeper = self.open && indent.width() > width;
        if !is_deeper && words.starts_with('[') && !is_escaped {
            return self.malformed_header(number, line, indent.width());
        }
        // At the left edge it can only be the summary of the header right above, not indented.
        let follows_a_header = self.before == Before::Header && self.blanks == 0;
        if !self.open || (indent.width() == 0 && !follows_a_header) {
            return self.astray(number, line);
        }
        self.inner_blank(number);
        if !is_deeper {
            let message = format!("expected a summary deeper than its header, came {} spaces", indent.width());
            self.problem("shallow-summary", number, 1, message);
            self.at_the_edge = (indent.width() == 0).then_some(number);
        } else if indent.tabs > 0 || indent.spaces != width + 2 {
            let message = format!("expected {} spaces before a summary, came {}", width + 2, indent.width());
            self.problem("summary-indent", number, 1, message);
        }
        if !is_escaped && words.starts_with(['[', '#', '\\']) {
            let column = indent.characters() + 1;
            self.problem("bare-structure", number, column, "expected `\\` before text that reads as structure");
        }
        if self.before == Before::Snippet {
            self.problem("snippet-place", number, 1, "expected a summary before the snippets, came one behind them");
        }
        if let Some(record) = self.records.last_mut() {
            record.summary.push(words.to_owned());
        }
        Before::Summary
    }

    /// A line that begins like a header, where no summary can stand.
    fn malformed_header(&mut self, number: usize, line: &str, width: usize) -> Before {
        if let Some(header) = Header::with_spaces_in_its_id(self.style.grammar, line) {
            self.blanks_before_a_header(number);
            return self.record(number, header);
        }
        if let Err(error) = self.style.grammar.parse("only_header", line) {
            let mut problem = unreadable("header", number, line, &error);
            if problem.message.starts_with("expected state") {
                problem.code = "state".to_owned();
            }
            self.problems.push(problem);
        }
        self.unread = Some(width);
        self.open = false;
        Before::Astray
    }

    /// A line that is nothing of an outline.
    fn astray(&mut self, number: usize, line: &str) -> Before {
        let came = inert::short(line, 40);
        let message = format!("expected a header, a summary below one, a snippet or a section, came {came:?}");
        self.problem("astray", number, 1, message);
        self.open = false;
        Before::Astray
    }

    /// How far a line is indented; what is wrong with it is told.
    fn indent(&mut self, number: usize, indent: &Indent) -> usize {
        if indent.tabs > 0 {
            self.problem("tab-indent", number, 1, "expected two spaces for each level, came a tab");
        } else if indent.spaces % 2 == 1 {
            let message = format!("expected two spaces for each level, came {}", indent.spaces);
            self.problem("odd-indent", number, 1, message);
        }
        indent.width()
    }

    fn blank_lines(&mut self, number: usize, due: usize) {
        if self.blanks != due && self.before != Before::Astray {
            let message = format!("expected {due} blank lines before this one, came {}", self.blanks);
            self.problem("blank-line", number, 1, message);
        }
    }

    fn blanks_before_a_header(&mut self, number: usize) {
        let is_below_a_heading = self.style.is_second && self.before == Before::Heading;
        self.blank_lines(number, self.before.blanks_due_before_a_header().max(is_below_a_heading.into()));
    }

    /// Between a header and what belongs to it stands no blank line.
    fn inner_blank(&mut self, number: usize) {
        self.blank_lines(number, 0);
    }

    fn end(&mut self, body: &[&str], ended: bool) {
        if let (Some(line), Some(record)) = (self.at_the_edge, self.records.last_mut()) {
            record.summary.clear();
            self.problems.retain(|problem| problem.code != "shallow-summary" || problem.line != line);
            self.astray(line, body[line - 1]);
        }
        let number = body.len().max(1);
        if !body.is_empty() && !ended {
            let column = body.last().map_or(0, |line| line.chars().count()) + 1;
            self.problem("final-line-end", number, column, "expected one LF at the end, came none");
        } else if self.blanks > 0 {
            self.problem("final-line-end", number, 1, "expected one LF at the end, came a blank line");
        }
    }

    fn problem(&mut self, code: &str, line: usize, column: usize, message: impl Into<String>) {
        self.problems.push(problem(code, line, column, message));
    }

    pub(super) fn finish(self) -> Parsed {
        let is_second = self.style.is_second;
        let sections = self.sections.into_iter().map(|section| {
            let mut value = json!({ "name": section.name, "line": section.line });
            if is_second {
                value["count"] = section.count.into();
            }
            value
        });
        let records = self.records.into_iter().map(|record| record.into_json(is_second));
        let mut value = json!({ "json": false, "session": self.session, "sections": sections.collect::<Value>(),
                                "records": records.collect::<Value>() });
        if is_second {
            value["tick"] = self.tick.into();
        }
        Parsed { value, problems: self.problems }
    }
}
