//! Serves the memories of a folder: `rust-memory FOLDER PORT`.

use rust_memory::{Memories, app};
use std::path::Path;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(port)) = (arguments.next(), arguments.next()) else {
        return Err("give a folder of memories and a port".into());
    };
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port.parse()?)).await?;
    Ok(axum::serve(listener, app(Memories::load(Path::new(&folder))?)).await?)
}
