import HTTPTypes
import Interception

extension DownloadRun {
  /// Notes the digests of the file that a response states, or those that are known.
  ///
  /// - Throws: A response that the policy refuses because of them, before its content is read.
  mutating func noteDigests(
    of response: Response, known: [FileDigest]
  ) throws(NetworkError) {
    let stated = digests(in: response.head.headerFields, of: response)
    let digests = stated.isEmpty ? known : stated
    if let error = verification.refusal(of: response.head, stated: digests) {
      if case .digestMismatch? = error.underlying(as: DownloadFault.self) { plan.forget() }
      throw error.ofDownload(response, to: request)
    }
    plan.note(digests)
  }

  /// Verifies the complete file, and returns the digests that it was found to have.
  ///
  /// - Throws: A mismatch, after which the unfinished file is not kept.
  mutating func verify(_ response: Response) async throws(NetworkError) -> [FileDigest] {
    if plan.digests.isEmpty, let trailers = response.trailers {
      plan.note(digests(in: trailers, of: response))
    }
    if let error = verification.refusal(ofFileWith: plan.digests) { throw error.of(request) }
    let required = verification.required(stated: plan.digests)
    for digest in required {
      guard try await file.digest(by: digest.algorithm) == digest else {
        plan.forget()
        throw verification.mismatch(digest).of(request)
      }
    }
    return required
  }

  /// Returns the digests of the file that the fields of a response state.
  ///
  /// They are those of the coded content (RFC 9530, sections 2 and 3), which a dispatcher may have decoded.
  private func digests(in fields: HTTPFields, of response: Response) -> [FileDigest] {
    guard response.decodedCoding == nil else { return [] }
    return verification.digests(in: fields, of: response.status)
  }

  /// Returns the digests that the target was found to have; nil if it is no longer the file that was
  /// downloaded, or doesn't have those that it should have.
  func digestsOfUnchanged() async throws(NetworkError) -> [FileDigest]? {
    guard let complete = plan.complete, file.isTarget(of: complete) else { return nil }
    switch verification.accepts(targetWith: complete.digests) {
    case true?: return complete.digests
    case false?: return nil
    case nil:
      guard let expected = verification.expected,
        try await file.digestOfTarget(by: expected.algorithm) == expected
      else { return nil }
      return [expected]
    }
  }
}
