package io.github.resonategrpc;

import com.google.protobuf.ByteString;
import io.github.resonategrpc.v1.Value;

/**
 * Makes and reads values: what a promise is created or settled with. The server never looks inside.
 * Workers in other languages like to speak JSON: make and read it with a library of your choice.
 */
public final class Values {
  private static final Value EMPTY = Value.getDefaultInstance();

  private Values() {}

  /**
   * The value without headers and data.
   *
   * @return the value
   */
  public static Value empty() {
    return EMPTY;
  }

  /**
   * A value of UTF-8 text, without headers.
   *
   * @param text the text
   * @return the value
   */
  public static Value text(String text) {
    return Value.newBuilder().setData(ByteString.copyFromUtf8(text)).build();
  }

  /**
   * A value of JSON, labelled as such.
   *
   * @param json the JSON text
   * @return the value
   */
  public static Value json(String json) {
    return text(json).toBuilder().putHeaders("content-type", "application/json").build();
  }

  /**
   * A value of bytes, without headers.
   *
   * @param bytes the data, which is copied
   * @return the value
   */
  public static Value bytes(byte[] bytes) {
    return Value.newBuilder().setData(ByteString.copyFrom(bytes)).build();
  }

  /**
   * The data as text.
   *
   * @param value the value
   * @return its data, read as UTF-8; without data the empty text
   */
  public static String text(Value value) {
    return value.getData().toStringUtf8();
  }
}
