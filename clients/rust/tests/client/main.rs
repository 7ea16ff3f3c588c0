//! What the client promises, against a scripted server. One binary: it is linked once.

mod acquire;
mod attempts;
mod calls;
mod context;
mod dispatch;
mod fulfill;
mod leases;
mod listener;
mod pushes;
mod retries;
mod stop;
mod support;
mod suspend;
mod unblocks;
mod values;
mod waiting;
