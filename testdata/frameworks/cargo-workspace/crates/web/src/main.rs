//! Tells prices over HTTP: GET /price/soup.
use std::env;
use std::io::{BufRead, BufReader, Result, Write};
use std::net::{TcpListener, TcpStream};

fn main() -> Result<()> {
    let port = env::var("PORT").unwrap_or_else(|_| "0".into());
    let listener = TcpListener::bind(format!("127.0.0.1:{port}"))?;
    for stream in listener.incoming() {
        answer(stream?)?;
    }
    Ok(())
}

fn answer(mut stream: TcpStream) -> Result<()> {
    let mut request = String::new();
    BufReader::new(&stream).read_line(&mut request)?;
    let path = request.split(' ').nth(1).unwrap_or("/");
    let dish = path.trim_start_matches("/price/");
    let body = match bistro_menu::price(dish) {
        Some(cents) => format!("{dish}: {cents} cents"),
        None => format!("no {dish} today"),
    };
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close", body.len());
    write!(stream, "{head}\r\n\r\n{body}") // @mark answer
}
