use tracing::warn;

use crate::client::Client;
use crate::v1::{DispatchAcknowledgeRequest, UnblockRef};

/// The server takes ten times as many.
const UNBLOCKS_IN_ONE_CALL: usize = 1_000;

/// Acknowledges unblocks, all in one call. If that fails, the server sends them again on the next stream, and they are
/// acknowledged then.
pub(crate) async fn acknowledge(client: Client, unblocks: Vec<UnblockRef>) {
    for unblocks in unblocks.chunks(UNBLOCKS_IN_ONE_CALL) {
        let (count, unblocks) = (unblocks.len(), unblocks.to_vec());
        if let Err(error) = client.call(DispatchAcknowledgeRequest { unblocks }).await {
            warn!(%error, count, "unblocks were not acknowledged");
        }
    }
}
