import ContentCodings
import HTTPTypes
public import Interception
import Synchronization

/// Which request bodies are compressed, and with which coding.
public enum RequestCompression: Sendable, Hashable {
  /// None.
  case never
  /// Bodies from the threshold on, once the server has announced which codings it accepts; the default.
  ///
  /// It announces them by an `Accept-Encoding` field in a response from the same resource (RFC 7694, section
  /// 3). Of the codings with the highest weight, the first of zstd, br, gzip and deflate is used.
  case whereAccepted
  /// Bodies from the threshold on with this coding, until the server announces others or refuses it.
  ///
  /// Choose this for a server of your own, or for one that documents the coding. A server that doesn't know
  /// it may respond with a 400, or store the compressed bytes as the content. The coding is gzip, deflate, br
  /// or zstd; a body can't be sent with any other.
  case unlessRefused(ContentCoding)
}
