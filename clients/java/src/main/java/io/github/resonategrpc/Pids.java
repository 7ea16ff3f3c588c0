package io.github.resonategrpc;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** Names of processes. */
final class Pids {
  private static final int HOST_LENGTH = 200;

  private Pids() {}

  /** One that no other process has: the host and the number for people, the rest for uniqueness. */
  static String fresh() {
    String unique = UUID.randomUUID().toString().substring(0, 8);
    return host() + "-" + ProcessHandle.current().pid() + "-" + unique;
  }

  private static String host() {
    try {
      String name = InetAddress.getLocalHost().getHostName();
      return name.substring(0, Math.min(name.length(), HOST_LENGTH));
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
