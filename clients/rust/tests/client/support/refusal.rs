//! Refusals as the real server writes them.

use std::collections::BTreeMap;

use bytes::Bytes;
use prost::Message;
use resonate_grpc::tonic::{Code, Status};

/// A refusal.
#[derive(Clone)]
pub struct Refusal {
    code: Code,
    message: String,
    info: Option<ErrorInfo>,
}

impl Refusal {
    /// Without details, as of a proxy.
    pub fn bare(code: Code, message: &str) -> Self {
        let message = message.to_owned();
        Self {
            code,
            message,
            info: None,
        }
    }

    /// With a reason of the server's.
    pub fn new(code: Code, reason: &str) -> Self {
        let info = ErrorInfo {
            reason: reason.to_owned(),
            domain: "resonate-grpc".to_owned(),
            metadata: BTreeMap::new(),
        };
        Self {
            code,
            message: "scripted".to_owned(),
            info: Some(info),
        }
    }

    /// 404.
    pub fn not_found(reason: &str) -> Self {
        Self::new(Code::NotFound, reason).with("status", "404")
    }

    /// 409, of a call about a task that stands like this.
    pub fn conflict(reason: &str, state: &str, version: i64, pid: Option<&str>) -> Self {
        let refusal = Self::new(Code::Aborted, reason)
            .with("status", "409")
            .with("task_state", state)
            .with("task_version", &version.to_string());
        pid.map_or(refusal.clone(), |pid| refusal.with("task_pid", pid))
    }

    /// The same with one more fact.
    pub fn with(mut self, key: &str, value: &str) -> Self {
        let info = self.info.get_or_insert_default();
        info.metadata.insert(key.to_owned(), value.to_owned());
        self
    }

    /// The same in a domain that is not the server's.
    pub fn in_domain(mut self, domain: &str) -> Self {
        self.info.get_or_insert_default().domain = domain.to_owned();
        self
    }

    pub fn to_status(&self) -> Status {
        let Some(info) = &self.info else {
            return Status::new(self.code, &self.message);
        };
        let packed = Any {
            type_url: "type.googleapis.com/google.rpc.ErrorInfo".to_owned(),
            value: info.encode_to_vec(),
        };
        let details = RpcStatus {
            code: self.code.into(),
            message: self.message.clone(),
            details: vec![packed],
        };
        Status::with_details(self.code, &self.message, Bytes::from(details.encode_to_vec()))
    }
}

#[derive(Clone, PartialEq, Message)]
struct RpcStatus {
    #[prost(int32, tag = "1")]
    code: i32,
    #[prost(string, tag = "2")]
    message: String,
    #[prost(message, repeated, tag = "3")]
    details: Vec<Any>,
}

#[derive(Clone, PartialEq, Message)]
struct Any {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
struct ErrorInfo {
    #[prost(string, tag = "1")]
    reason: String,
    #[prost(string, tag = "2")]
    domain: String,
    #[prost(btree_map = "string, string", tag = "3")]
    metadata: BTreeMap<String, String>,
}
