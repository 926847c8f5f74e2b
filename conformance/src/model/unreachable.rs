//! Why a target is not there.

/// Why a target cannot be reached at all.
#[derive(Debug, Clone, thiserror::Error)]
pub enum TransportError {
    /// The program does not exist or cannot be started.
    #[error("the program `{program}` cannot be started: {reason}")]
    NotThere {
        /// The program.
        program: String,
        /// What the system said.
        reason: String,
    },
    /// A server ended, or was not ready in time, before the run.
    #[error("`{command}` did not start: {reason}")]
    DidNotStart {
        /// The command.
        command: String,
        /// What became of it.
        reason: String,
    },
    /// A server does not speak the era of MCP in which it was to be judged.
    #[error(
        "{server} does not speak MCP of the {era} era, in which it was to be judged: {reason}; without an era, what it speaks is \
         found out"
    )]
    NotSpoken {
        /// The command or the address.
        server: String,
        /// The era.
        era: String,
        /// What came instead.
        reason: String,
    },
    /// Another program answers at the address of a server that is to be started.
    #[error(
        "{address} is in use before `{command}` is started: end what listens there, or let {{port}} be a free port"
    )]
    InUse {
        /// The address.
        address: String,
        /// The command.
        command: String,
    },
    /// A server that was started ended before its run.
    #[error("`{command}` ended during the run: {reason}")]
    Ended {
        /// The command.
        command: String,
        /// What became of it.
        reason: String,
    },
    /// A server answers after its process was ended.
    #[error(
        "`{command}` was ended after the run, and {address} still answers: one that launches a server and ends needs a `stop` in the \
         target file"
    )]
    NotStopped {
        /// The command.
        command: String,
        /// What answers, a host with its port.
        address: String,
    },
    /// A target answers that its source of data is not connected.
    #[error("{endpoint} answers, and its source of data is not connected: {said}; connect it, then run again")]
    NotConnected {
        /// The endpoint.
        endpoint: String,
        /// What it says.
        said: String,
    },
    /// Nobody answers at an address.
    #[error("nothing answers at {address}: {reason}")]
    NotReachable {
        /// The address.
        address: String,
        /// What the system said.
        reason: String,
    },
    /// The server wants to know who is asking.
    #[error("{address} answers 401: it wants a token; give it a header, as in Authorization: Bearer ${{TOKEN}}")]
    NotAuthorized {
        /// The address.
        address: String,
    },
    /// It was not there when a log was written, which is read now.
    #[error("{0}")]
    WasNotThere(String),
    /// This machine has no room for the data of a case.
    #[error("this machine cannot make a folder for a case, with a copy of {folder}: {reason}")]
    NoRoom {
        /// The folder.
        folder: String,
        /// What the system said.
        reason: String,
    },
}
