//! Writes the stubs of the crate: `generate <descriptor set> <output directory>`. Run by generate.sh.

use std::error::Error;
use std::{env, fs};

use prost::Message;
use prost_types::FileDescriptorSet;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(descriptors), Some(output)) = (arguments.next(), arguments.next()) else {
        return Err("usage: generate <descriptor set> <output directory>".into());
    };
    let descriptors = FileDescriptorSet::decode(fs::read(descriptors)?.as_slice())?;
    tonic_prost_build::configure()
        .build_server(false)
        // The caller makes the channel.
        .build_transport(false)
        // In the order of their keys, and so the same on every run.
        .btree_map(".")
        .out_dir(output)
        .compile_fds(descriptors)?;
    Ok(())
}
