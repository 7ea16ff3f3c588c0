//! The part of `google.rpc` that errors carry.

use std::collections::BTreeMap;

use prost::Message;

const DOMAIN: &str = "resonate-grpc";
const ERROR_INFO: &str = "/google.rpc.ErrorInfo";

/// `google.rpc.ErrorInfo`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ErrorInfo {
    #[prost(string, tag = "1")]
    pub reason: String,
    #[prost(string, tag = "2")]
    pub domain: String,
    #[prost(btree_map = "string, string", tag = "3")]
    pub metadata: BTreeMap<String, String>,
}

/// `google.rpc.Status`.
#[derive(Clone, PartialEq, Message)]
struct Status {
    #[prost(message, repeated, tag = "3")]
    details: Vec<Any>,
}

/// `google.protobuf.Any`.
#[derive(Clone, PartialEq, Message)]
struct Any {
    #[prost(string, tag = "1")]
    type_url: String,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

impl ErrorInfo {
    /// What the server itself says, from the trailer `grpc-status-details-bin`. Whatever a proxy wrote there is passed over: the
    /// status itself still stands.
    pub(crate) fn unpack(trailer: &[u8]) -> Option<Self> {
        let details = Status::decode(trailer).ok()?.details;
        let packed = details.iter().find(|detail| detail.type_url.ends_with(ERROR_INFO))?;
        let info = Self::decode(packed.value.as_slice()).ok()?;
        (info.domain == DOMAIN).then_some(info)
    }
}
