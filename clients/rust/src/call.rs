//! Every unary RPC: its messages, and whether the proto says that a retry is always safe.

use std::future::Future;

use tonic::transport::Channel;
use tonic::{Request, Response, Status};

use crate::v1::dispatch_service_client::DispatchServiceClient;
use crate::v1::promise_service_client::PromiseServiceClient;
use crate::v1::schedule_service_client::ScheduleServiceClient;
use crate::v1::task_service_client::TaskServiceClient;
use crate::v1::*;

/// A request of a unary RPC, for [`Client::call`](crate::Client::call). Every `…Request` of [`v1`](crate::v1) is one, but
/// `DispatchRequest`, which opens a stream.
pub trait Call: Clone + Send + Sync + 'static {
    /// What the server answers.
    type Response: Send;
    /// The proto says that a retry is always safe.
    const RETRY_SAFE: bool;

    /// Makes one try.
    #[doc(hidden)]
    fn send(channel: Channel, request: Request<Self>) -> impl Future<Output = Result<Response<Self::Response>, Status>> + Send;
}

macro_rules! calls {
    ($($client:ident { $($method:ident($request:ident) -> $response:ident, $retry_safe:expr;)+ })+) => {$($(
        impl Call for $request {
            type Response = $response;
            const RETRY_SAFE: bool = $retry_safe;

            async fn send(
                channel: Channel,
                request: Request<Self>,
            ) -> Result<Response<Self::Response>, Status> {
                // The server bounds its messages by its own limit on requests, which its operator may have raised.
                let client = $client::new(channel).max_decoding_message_size(usize::MAX);
                { client }.$method(request).await
            }
        }
    )+)+};
}

const SAFE: bool = true;
const ONCE: bool = false;

calls! {
    PromiseServiceClient {
        promise_get(PromiseGetRequest) -> PromiseGetResponse, SAFE;
        promise_create(PromiseCreateRequest) -> PromiseCreateResponse, SAFE;
        promise_settle(PromiseSettleRequest) -> PromiseSettleResponse, SAFE;
        promise_register_callback(PromiseRegisterCallbackRequest) -> PromiseRegisterCallbackResponse, SAFE;
        promise_register_listener(PromiseRegisterListenerRequest) -> PromiseRegisterListenerResponse, SAFE;
        promise_search(PromiseSearchRequest) -> PromiseSearchResponse, ONCE;
        promise_wait(PromiseWaitRequest) -> PromiseWaitResponse, SAFE;
    }
    TaskServiceClient {
        task_get(TaskGetRequest) -> TaskGetResponse, SAFE;
        task_create(TaskCreateRequest) -> TaskCreateResponse, ONCE;
        task_acquire(TaskAcquireRequest) -> TaskAcquireResponse, ONCE;
        task_fence(TaskFenceRequest) -> TaskFenceResponse, ONCE;
        task_heartbeat(TaskHeartbeatRequest) -> TaskHeartbeatResponse, SAFE;
        task_suspend(TaskSuspendRequest) -> TaskSuspendResponse, ONCE;
        task_fulfill(TaskFulfillRequest) -> TaskFulfillResponse, ONCE;
        task_release(TaskReleaseRequest) -> TaskReleaseResponse, ONCE;
        task_halt(TaskHaltRequest) -> TaskHaltResponse, SAFE;
        task_continue(TaskContinueRequest) -> TaskContinueResponse, ONCE;
        task_search(TaskSearchRequest) -> TaskSearchResponse, ONCE;
    }
    ScheduleServiceClient {
        schedule_get(ScheduleGetRequest) -> ScheduleGetResponse, SAFE;
        schedule_create(ScheduleCreateRequest) -> ScheduleCreateResponse, SAFE;
        schedule_delete(ScheduleDeleteRequest) -> ScheduleDeleteResponse, ONCE;
        schedule_search(ScheduleSearchRequest) -> ScheduleSearchResponse, ONCE;
    }
    DispatchServiceClient {
        dispatch_acknowledge(DispatchAcknowledgeRequest) -> DispatchAcknowledgeResponse, SAFE;
        dispatch_drain(DispatchDrainRequest) -> DispatchDrainResponse, SAFE;
    }
}
