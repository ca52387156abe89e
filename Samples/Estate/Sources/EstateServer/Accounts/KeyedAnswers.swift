import HTTPServing
import HTTPTypes
import Synchronization

/// The answers to requests with an `Idempotency-Key`, by account, in memory: a request that is sent again
/// gets the same answer and is not applied again (draft-ietf-httpapi-idempotency-key-header).
final class KeyedAnswers: Sendable {
  private struct Name: Hashable {
    let user: String
    let key: String
  }
  private struct Kept {
    /// The hash of the body that the key was first sent with.
    let digest: [UInt8]
    let answer: Answer
  }
  private struct State {
    var answers: [Name: Kept] = [:]
    /// The names, the oldest first.
    var order: [Name] = []
  }

  /// The maximum number of answers; the oldest one is removed.
  static let capacity = 1000
  private static let longestKey = 255

  private let state = Mutex(State())

  /// Returns the answer that was given to the request's key, or else a new one, which is kept; an error is
  /// not kept.
  ///
  /// Throws 400 `bad_idempotency_key` for a key that is too long, and 422 `key_reused` for one that came with
  /// another body.
  func answer(
    to request: ReceivedRequest, of user: String, _ make: () throws -> Answer
  ) throws -> Answer {
    guard let field = HTTPField.Name("Idempotency-Key"), let key = request.head.headerFields[field] else {
      return try make()
    }
    guard (1...Self.longestKey).contains(key.utf8.count) else {
      throw APIError(
        .badRequest, "bad_idempotency_key", "An Idempotency-Key must have 1 to \(Self.longestKey) bytes.")
    }
    let (name, digest) = (Name(user: user, key: key), SHA256Digest.bytes(of: request.body))
    // Under the lock, so that two requests with one key at the same time are applied once.
    return try state.withLock { state in
      if let kept = state.answers[name] {
        guard kept.digest == digest else {
          throw APIError(
            .unprocessableContent, "key_reused", "The Idempotency-Key was sent with another body before.")
        }
        return kept.answer
      }
      let answer = try make()
      state.answers[name] = Kept(digest: digest, answer: answer)
      state.order.append(name)
      if state.order.count > Self.capacity { state.answers[state.order.removeFirst()] = nil }
      return answer
    }
  }
}
