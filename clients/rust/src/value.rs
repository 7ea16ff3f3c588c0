use std::str::{self, Utf8Error};

use crate::v1::Value;

/// The header that says what the data is.
const CONTENT_TYPE: &str = "content-type";
const JSON: &str = "application/json";

impl Value {
    /// The bytes as they are, without headers.
    pub fn bytes(data: impl Into<Vec<u8>>) -> Self {
        Self {
            data: Some(data.into()),
            ..Self::default()
        }
    }

    /// JSON that is encoded already, labelled as such, as the clients of other languages write it.
    pub fn json(encoded: impl Into<Vec<u8>>) -> Self {
        Self::bytes(encoded).with_header(CONTENT_TYPE, JSON)
    }

    /// The same with one more header.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.insert(name.into(), value.into());
        self
    }

    /// The data as text. Empty if there is none.
    ///
    /// # Errors
    ///
    /// If it is not UTF-8.
    pub fn text(&self) -> Result<&str, Utf8Error> {
        str::from_utf8(self.data())
    }
}

/// The empty value: no headers, and no data.
impl From<()> for Value {
    fn from((): ()) -> Self {
        Self::default()
    }
}

/// The text as bytes, without headers.
impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::bytes(text)
    }
}

/// The text as bytes, without headers.
impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::bytes(text)
    }
}

/// The bytes as they are, without headers.
impl From<Vec<u8>> for Value {
    fn from(data: Vec<u8>) -> Self {
        Self::bytes(data)
    }
}
