/// The combined requirements of a pipeline's interceptors on the request's body.
struct RequestBodyNeeds {
  private var replaying: (name: String, alternative: String?)?
  private var buffering: (name: String, limit: Int)?
  /// The requirements of interceptors that are limited to some requests.
  private var scoped: [(scope: Request.Scope, needs: RequestBodyNeeds)] = []

  init(_ needs: [(name: String, traits: InterceptorTraits, scope: Request.Scope?)]) {
    for (name, traits, scope) in needs {
      let need = traits.requestBody
      if let scope {
        if need != .untouched { scoped.append((scope, RequestBodyNeeds([(name, traits, nil)]))) }
        continue
      }
      switch need {
      case .untouched: break
      case .replayable: replaying = replaying ?? (name, traits.replayAlternative)
      case .bytes(let limit):
        if limit < buffering?.limit ?? .max { buffering = (name, limit) }
      }
    }
  }

  /// Whether the body meets the requirements of every interceptor that processes the request.
  func areMet(by request: Request) -> Bool {
    let body = request.body
    return areMet(by: body)
      && (scoped.isEmpty || scoped.allSatisfy { $0.needs.areMet(by: body) || !$0.scope.contains(request) })
  }

  private func areMet(by body: RequestBody) -> Bool {
    if let buffering, !Self.isBuffered(body, upTo: buffering.limit) { return false }
    return replaying == nil || body.replay == .any
  }

  private static func isBuffered(_ body: RequestBody, upTo limit: Int) -> Bool {
    body.bytes != nil && body.length ?? 0 <= Int64(limit)
  }

  /// Returns the request with a body that meets the requirements of every interceptor that processes it.
  func satisfied(by request: Request) async throws(NetworkError) -> Request {
    var request = request
    request.body = try await body(of: request.body)
    for (scope, needs) in scoped where scope.contains(request) {
      request.body = try await needs.body(of: request.body)
    }
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
          "\(buffering.name) reads the body as bytes and accepts at most \(limit) bytes; "
            + "send a shorter body, or raise its limit.",
          origin: .interceptor(buffering.name))
      }
    }
    if let replaying, body.replay == .once {
      throw NetworkError(
        .bodyNotReplayable,
        "\(replaying.name) reads the body before it is sent, but this body can be read only once; "
          + "make it .bytes, .file or .sequence(length:makingEach:)"
          + "\(replaying.alternative.map { ", or \($0)" } ?? "").",
        origin: .interceptor(replaying.name))
    }
    return body
  }
}
