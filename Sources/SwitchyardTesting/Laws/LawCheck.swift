import HTTPTypes
import Interception
import Synchronization

/// Checks one law for one interceptor with one sample request.
struct LawCheck<Subject: Interceptor>: Sendable {
  /// The result of a check.
  enum Finding {
    case kept
    case broken(String)
    case unproven(String)
  }

  let subject: Subject
  let sample: Request
  let patience: Duration

  /// The status codes that interceptors commonly handle differently.
  static var statuses: [HTTPResponse.Status] {
    [.ok, .notModified, .unauthorized, .notFound, .unsupportedMediaType, .serviceUnavailable]
  }

  func find(_ law: InterceptorLaw) async -> Finding {
    switch law {
    case .passesCancellation: await passesCancellation()
    case .readsOnlyDeclaredBodies: await readsOnlyDeclaredBodies()
    case .callsNextAsDeclared: await callsNextAsDeclared()
    case .releasesDroppedAnswers: await releasesDroppedAnswers()
    case .leavesUnknownContextAlone: await leavesUnknownContextAlone()
    case .attributesHonestly: await attributesHonestly()
    }
  }

  /// Runs the interceptor with a dispatcher as `next`.
  func outcome(_ request: Request, over next: ScriptedDispatcher) async -> Result<Response, any Error> {
    do {
      return .success(try await subject.intercept(request, next: next))
    } catch {
      return .failure(error)
    }
  }

  /// Returns a response in the form in which the pipeline would pass it to the interceptor.
  func response(_ status: HTTPResponse.Status, _ source: WatchedByteSource) -> Response {
    if case .bytes = subject.traits.responseBody { return Response(status: status, bytes: [1, 2, 3]) }
    return Response(HTTPResponse(status: status), body: .stream(BodyStream(length: 6, source)))
  }

  /// Whether a value satisfies a condition within the patience.
  func settles<Value>(
    _ value: WaitableValue<Value>, _ condition: @escaping @Sendable (Value) -> Bool
  ) async -> Bool {
    if condition(value.value) { return true }
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask { (try? await value.wait(until: condition)) != nil }
      group.addTask { [patience] in
        try? await ContinuousClock().sleep(for: patience)
        return false
      }
      let isSettled = await group.next() ?? false
      group.cancelAll()
      return isSettled
    }
  }
}
