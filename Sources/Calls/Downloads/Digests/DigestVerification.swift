import HTTPTypes
import Interception

/// Decides, without I/O, by which digests the content of a download is verified.
struct DigestVerification: Sendable {
  let check: DownloadPolicy.DigestCheck
  /// The digest that the caller expects; nil if it expects none.
  let expected: FileDigest?

  init(_ check: DownloadPolicy.DigestCheck = .ifSent, expected: FileDigest? = nil) {
    self.check = check
    self.expected = expected
  }

  /// Returns the request, which asks the server for a digest if the policy does.
  func request(from request: Request) -> Request {
    guard check == .requested || check == .required,
      request.head.headerFields[DigestFields.wanted] == nil
    else { return request }
    var copy = request
    copy.head.headerFields[DigestFields.wanted] = "sha-256=10"
    return copy
  }

  /// Returns the digests of the whole file that a response states in its header or trailer fields, as far as
  /// the policy uses them.
  func digests(in fields: HTTPFields, of status: HTTPResponse.Status) -> [FileDigest] {
    // Other responses state digests of another representation, such as that of an error.
    guard check != .none, status == .ok || status == .partialContent else { return [] }
    return DigestFields.digests(in: fields, hasWholeContent: status == .ok)
  }

  /// Returns the error with which a response is refused before its content is read; nil if it is accepted.
  ///
  /// - Parameter stated: The digests that the server has sent of this version of the file.
  func refusal(of head: HTTPResponse, stated: [FileDigest]) -> NetworkError? {
    if check != .none, let expected,
      let other = stated.first(where: { $0.algorithm == expected.algorithm }), other != expected
    {
      return Self.mismatch(expected.algorithm, with: "the expected one")
    }
    // A digest may follow the content.
    return head.headerFields[.trailer] == nil ? refusal(ofFileWith: stated) : nil
  }

  /// Returns the error with which a complete file is refused without being read; nil if it is accepted.
  func refusal(ofFileWith stated: [FileDigest]) -> NetworkError? {
    guard check == .required, expected == nil, stated.isEmpty else { return nil }
    return .download(.digestMissing)
  }

  /// Returns the digests that a complete file must have.
  ///
  /// They are the expected one, and one of those that the server has sent: the one by the same algorithm,
  /// which then needs no second reading of the file, or the first one.
  func required(stated: [FileDigest]) -> [FileDigest] {
    // A run with another policy may have recorded them.
    let stated = check == .none ? [] : stated
    let matching = expected.flatMap { expected in stated.first { $0.algorithm == expected.algorithm } }
    let digests = [expected, matching ?? stated.first].compactMap { $0 }
    return digests.count == 2 && digests[0] == digests[1] ? [digests[0]] : digests
  }

  /// Returns the error of a file whose digest is not a required one.
  func mismatch(_ digest: FileDigest) -> NetworkError {
    Self.mismatch(
      digest.algorithm, with: digest == expected ? "the expected one" : "the one that the server sent")
  }

  /// Whether a complete target may be left as it is; nil if its content must be compared with the expected
  /// digest first.
  ///
  /// - Parameter verified: The digests that were found when the target was downloaded.
  func accepts(targetWith verified: [FileDigest]) -> Bool? {
    guard let expected else { return check != .required || !verified.isEmpty }
    guard let known = verified.first(where: { $0.algorithm == expected.algorithm }) else { return nil }
    return known == expected
  }

  private static func mismatch(_ algorithm: FileDigest.Algorithm, with other: String) -> NetworkError {
    .download(
      .digestMismatch(algorithm),
      "The \(algorithm.title) of the file is not \(other), so the unfinished file was removed; download it "
        + "again, and check the server and the digest if that fails too.")
  }
}
