use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use tonic::Code;

use crate::error::Error;
use crate::record::{LAST_MS, to_ms};
use crate::v1::{PromiseSpec, Value};

/// Work to be done: a promise, and with a target the task that fulfils it.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    id: String,
    param: Value,
    tags: BTreeMap<String, String>,
    deadline: Option<Deadline>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Deadline {
    /// Counted from when it is created.
    After(Duration),
    At(SystemTime),
}

impl Work {
    /// Under this id, its idempotency key: 1 to 512 bytes.
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            param: Value::default(),
            tags: BTreeMap::new(),
            deadline: None,
        }
    }

    /// The address that gets the task, such as `any@group`. Without one there is no task: somebody settles the promise by its id.
    #[must_use]
    pub fn target(self, address: impl Into<String>) -> Self {
        self.tag("resonate:target", address)
    }

    /// The input. Empty if it is not given.
    #[must_use]
    pub fn param(mut self, param: impl Into<Value>) -> Self {
        self.param = param.into();
        self
    }

    /// One more tag.
    #[must_use]
    pub fn tag(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.tags.insert(key.into(), value.into());
        self
    }

    /// How long it may take, by this machine's clock, from when it is created.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.deadline = Some(Deadline::After(timeout));
        self
    }

    /// The instant until which it may take.
    #[must_use]
    pub fn deadline(mut self, instant: SystemTime) -> Self {
        self.deadline = Some(Deadline::At(instant));
        self
    }

    /// The proto's form of it. `fallback_at_ms` is the deadline if the work has none.
    pub(crate) fn into_spec(self, fallback_at_ms: Option<i64>) -> Result<PromiseSpec, Error> {
        let timeout_at_ms = match self.deadline {
            Some(Deadline::At(instant)) => to_ms(instant),
            Some(Deadline::After(timeout)) => SystemTime::now().checked_add(timeout).map_or(LAST_MS, to_ms),
            None => fallback_at_ms.ok_or_else(|| Error::new(Code::InvalidArgument, "work needs a timeout or a deadline"))?,
        };
        Ok(PromiseSpec {
            id: self.id,
            timeout_at_ms,
            param: Some(self.param),
            tags: self.tags,
        })
    }
}
