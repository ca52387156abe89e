/// What the interceptors of a pipeline need of a request's body, taken together.
struct RequestBodyNeeds {
  private var replaying: String?
  private var buffering: (name: String, limit: Int)?

  init(_ needs: [(name: String, need: InterceptorTraits.RequestBodyNeed)]) {
    for (name, need) in needs {
      switch need {
      case .untouched: break
      case .replayable: replaying = replaying ?? name
      case .bytes(let limit):
        if limit < buffering?.limit ?? .max { buffering = (name, limit) }
      }
    }
  }

  /// Whether everybody can work with the body as it is.
  func areMet(by body: RequestBody) -> Bool {
    if let buffering, !Self.isBuffered(body, upTo: buffering.limit) { return false }
    return replaying == nil || body.replay == .any
  }

  private static func isBuffered(_ body: RequestBody, upTo limit: Int) -> Bool {
    body.bytes != nil && body.length ?? 0 <= Int64(limit)
  }

  /// Returns the request with its body in the form that everybody can work with.
  func satisfied(by request: Request) async throws(NetworkError) -> Request {
    var request = request
    request.body = try await body(of: request.body)
    return request
  }

  private func body(of body: RequestBody) async throws(NetworkError) -> RequestBody {
    if let buffering, !Self.isBuffered(body, upTo: buffering.limit) {
      do throws(NetworkError) {
        return .bytes(try await body.collect(upTo: buffering.limit))
      } catch {
        guard case .bodyTooLarge(let limit) = error.kind else { throw error }
        throw NetworkError(
          error.kind,
          "\(buffering.name) reads the body as bytes and takes at most \(limit); send less, or raise its limit.",
          origin: .interceptor(buffering.name))
      }
    }
    if let replaying, body.replay == .once {
      throw NetworkError(
        .bodyNotReplayable,
        "\(replaying) reads the body before it is sent, and this one can be read once; "
          + "make it .bytes, .file or .restartable.", origin: .interceptor(replaying))
    }
    return body
  }
}
