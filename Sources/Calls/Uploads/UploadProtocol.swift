/// The protocol by which an upload is resumed.
///
/// | protocol | the upload is created by | a part is sent by | the server's position is asked by |
/// |---|---|---|---|
/// | ``tus(metadata:checksum:)`` | POST with `Upload-Length` | PATCH | HEAD |
/// | ``httpDraft`` | the request with `Upload-Complete: ?0` | PATCH | HEAD |
///
/// Both create the upload by a request without content, and send content only when its URL is on disk.
public enum UploadProtocol: Sendable, Hashable {
  /// tus 1.0.0 (https://tus.io/protocols/resumable-upload), with its extensions for creation, expiration,
  /// checksums and termination.
  ///
  /// The extensions creation-with-upload and concatenation are not used.
  ///
  /// - Parameters:
  ///   - metadata: The values of `Upload-Metadata`, such as a `filename`. Names are ASCII without spaces and
  ///     commas.
  ///   - checksum: The hash that is sent with each part, so that the server refuses a damaged one; nil, the
  ///     default, for none. The server must list it in `Tus-Checksum-Algorithm`.
  case tus(metadata: [String: String] = [:], checksum: UploadProtocol.Checksum? = nil)
  /// Resumable Uploads for HTTP (draft-ietf-httpbis-resumable-upload-12, interop version 8).
  ///
  /// Only the careful creation of the draft is used, because libcurl doesn't pass on the informational
  /// responses with the status 104, by which the others learn the upload's URL. Use it only for a resource
  /// known to support it: any other one takes the creation for a request with an empty content.
  case httpDraft

  /// A hash by which a tus server checks each part.
  ///
  /// The file's part is then read twice: once for the hash, once to send it.
  public enum Checksum: Sendable, Hashable {
    /// SHA-1, which every tus server with checksums supports. It detects errors of the transfer, not attacks.
    case sha1
    /// SHA-256.
    case sha256
  }

  /// The version of tus.
  static let tusVersion = "1.0.0"
  /// The draft's interop version.
  static let interopVersion = "8"

  /// Whether it is tus.
  var isTus: Bool { if case .tus = self { true } else { false } }

  /// The hash that is sent with each part, if any.
  var checksum: Checksum? { if case .tus(_, let checksum) = self { checksum } else { nil } }
}
