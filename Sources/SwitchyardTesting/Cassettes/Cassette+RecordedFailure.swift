import Interception

extension Cassette.RecordedFailure {
  /// The recorded error; a transport failure if this library does not know its kind.
  var networkError: NetworkError {
    NetworkError(kind, reason, requestMayHaveBeenProcessed: requestMayHaveBeenProcessed)
  }

  private var kind: NetworkError.Kind {
    var kinds: [NetworkError.Kind] = [
      .invalidRequest, .offline, .resolve, .connect, .proxyAuthentication, .queueFull, .descriptorsExhausted,
      .unsupported, .protocolViolation, .transport, .bodyNotReplayable, .bodyTooLarge(limit: limit ?? 0),
      .rejected, .needsLogin, .notStored,
    ]
    kinds += [.untrusted, .nameMismatch, .expired, .pinMismatch, .handshake].map { .tls($0) }
    kinds += [.queue, .connect, .firstByte, .idle, .whole, .call].map { .timeout($0) }
    return kinds.first { NetworkError($0, "").label == label } ?? .transport
  }
}
