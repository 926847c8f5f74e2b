//! Server-sent events, read as their standard says: a field that it does not know is passed over, and nothing is an error.

/// Reads a stream piece by piece.
#[derive(Debug, Default)]
pub(crate) struct Events {
    /// The id of the last event that had one: where to take the stream up again.
    pub(crate) last_id: Option<String>,
    /// How many milliseconds to wait before that.
    pub(crate) retry: Option<u64>,
    line: Vec<u8>,
    after_cr: bool,
    begun: bool,
    id: Option<String>,
    kind: String,
    data: Option<Vec<u8>>,
}

/// One event that has data.
#[derive(Debug)]
pub(crate) struct Event {
    /// Its type; nothing or `message` for a message.
    pub(crate) kind: String,
    pub(crate) data: Vec<u8>,
}

impl Events {
    /// The events that a piece of the stream completes.
    pub(crate) fn read(&mut self, piece: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        let mut rest = piece;
        while let Some(&first) = rest.first() {
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.line.extend_from_slice(rest);
                break;
            };
            self.line.extend_from_slice(&rest[..end]);
            self.after_cr = rest[end] == b'\r';
            rest = &rest[end + 1..];
            let line = std::mem::take(&mut self.line);
            events.extend(self.field(&line));
        }
        events
    }

    /// Begins to read the stream that takes this one up: an event that was broken off is none.
    pub(crate) fn resume(&mut self) {
        *self = Self { last_id: self.last_id.take(), retry: self.retry, ..Self::default() };
        self.id.clone_from(&self.last_id);
    }

    fn field(&mut self, line: &[u8]) -> Option<Event> {
        let is_first = !std::mem::replace(&mut self.begun, true);
        let line = line.strip_prefix(b"\xef\xbb\xbf").filter(|_| is_first).unwrap_or(line);
        if line.is_empty() {
            return self.end();
        }
        let (name, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &b""[..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        let text = || String::from_utf8_lossy(value).into_owned();
        match name {
            b"data" => {
                let data = self.data.get_or_insert_default();
                data.extend_from_slice(value);
                data.push(b'\n');
            }
            b"event" => self.kind = text(),
            b"id" if !value.contains(&0) => self.id = Some(text()).filter(|id| !id.is_empty()),
            b"retry" => self.retry = text().parse().ok().or(self.retry),
            // A comment, or a field of tomorrow.
            _ => {}
        }
        None
    }

    /// A blank line ends an event; one without data is none, though its id counts.
    fn end(&mut self) -> Option<Event> {
        self.last_id.clone_from(&self.id);
        let kind = std::mem::take(&mut self.kind);
        let mut data = self.data.take()?;
        data.pop();
        (!data.is_empty()).then_some(Event { kind, data })
    }
}
