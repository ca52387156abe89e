import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

/// Retains responses that it should release.
private final class Hoarder: Interceptor {
  let traits = InterceptorTraits(stage: .caching)
  private let hoard = Mutex<[Response]>([])

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let response = try await next.dispatch(request)
    hoard.withLock { $0.append(response) }
    return Response(status: .ok)
  }
}

private typealias Step = @Sendable (Request, any Dispatcher) async throws -> Response

@Suite(.timeLimit(.minutes(5)))
struct InterceptorLawTests {
  private func violations(
    _ traits: InterceptorTraits = InterceptorTraits(stage: .retry), _ step: @escaping Step
  ) async -> [InterceptorLaw] {
    let report = await checkInterceptorLaws(
      InlineInterceptor("Planted", traits: traits, step), patience: .milliseconds(300))
    var seen: Set<InterceptorLaw> = []
    return report.breaches.map(\.law).filter { seen.insert($0).inserted }
  }

  @Test("An interceptor that only forwards satisfies every law")
  func forwarding() async {
    let report = await checkInterceptorLaws(
      InlineInterceptor("Honest", traits: InterceptorTraits(stage: .retry)) { try await $1.dispatch($0) })
    #expect(report.violations == [])
    #expect(report.unproven == [:])
    #expect(report.description == "Honest satisfies the laws")
  }

  @Test("An interceptor that calls next in an unstructured task is reported")
  func unstructuredTask() async {
    let found = await violations { request, next in
      let work = Task { try await next.dispatch(request) }
      return try await work.value
    }
    #expect(found == [.passesCancellation])
  }

  @Test("An interceptor that responds after the cancellation is reported")
  func respondingAfterCancellation() async {
    let found = await violations { request, next in
      do {
        return try await next.dispatch(request)
      } catch let error as NetworkError where error.kind == .cancelled(.task) {
        return Response(status: .ok)
      }
    }
    #expect(found == [.passesCancellation])
  }

  @Test("An interceptor that retries after the cancellation is reported")
  func retryingAfterCancellation() async {
    let found = await violations(InterceptorTraits(stage: .retry, callsNext: .anyNumber)) { request, next in
      do {
        return try await next.dispatch(request)
      } catch let error as NetworkError where error.kind == .cancelled(.task) {
        return try await next.dispatch(request)
      }
    }
    #expect(found == [.passesCancellation])
  }

  @Test("An interceptor that replaces the cancellation by another error is reported")
  func replacedCancellation() async {
    struct Mishap: Error {}
    let found = await violations { request, next in
      do {
        return try await next.dispatch(request)
      } catch let error as NetworkError where error.kind == .cancelled(.task) {
        throw Mishap()
      }
    }
    #expect(found == [.passesCancellation])
  }

  @Test("An interceptor that reads a request's body without declaring it is reported")
  func undeclaredRequestBody() async {
    let found = await violations { request, next in
      _ = try await request.body.open().read()
      return try await next.dispatch(request)
    }
    #expect(found == [.readsOnlyDeclaredBodies])
  }

  @Test("An interceptor that declares that it reads a request's body is not reported")
  func declaredRequestBody() async {
    let traits = InterceptorTraits(stage: .signing, requestBody: .replayable)
    let found = await violations(traits) { request, next in
      _ = try await request.body.open().read()
      return try await next.dispatch(request)
    }
    #expect(found == [])
  }

  @Test("An interceptor that reads a response's body without declaring it is reported")
  func undeclaredResponseBody() async {
    let found = await violations { request, next in
      try await next.dispatch(request).buffered(upTo: 1_000)
    }
    #expect(found == [.readsOnlyDeclaredBodies])
  }

  @Test("An interceptor that declares that it reads a response's body is not reported")
  func declaredResponseBody() async {
    let traits = InterceptorTraits(stage: .logging, responseBodyLimit: 1_000)
    let found = await violations(traits) { request, next in
      try await next.dispatch(request).buffered(upTo: 1_000)
    }
    #expect(found == [])
  }

  @Test("An interceptor that calls next more often than declared is reported")
  func callsTooOften() async {
    for declared in [InterceptorTraits.NextCalls.exactlyOnce, .atMostOnce] {
      let found = await violations(InterceptorTraits(stage: .retry, callsNext: declared)) { request, next in
        let response = try await next.dispatch(request)
        return response.status == .serviceUnavailable ? try await next.dispatch(request) : response
      }
      #expect(found == [.callsNextAsDeclared])
    }
  }

  @Test("An interceptor that declares a call of next and responds without it is reported")
  func missingCall() async {
    let found = await violations { _, _ in Response(status: .ok) }
    #expect(found == [.callsNextAsDeclared])
  }

  @Test("An interceptor that retains released responses is reported")
  func retainedResponses() async {
    let report = await checkInterceptorLaws(Hoarder(), patience: .milliseconds(300))
    #expect(Set(report.breaches.map(\.law)) == [.releasesDroppedAnswers])
  }

  @Test("An interceptor that creates a new request is reported")
  func newRequest() async {
    let found = await violations { request, next in
      try await next.dispatch(Request(request.head, body: request.body, options: request.options))
    }
    #expect(found == [.leavesUnknownContextAlone])
  }

  @Test("An interceptor that keeps the context and changes the identity is reported")
  func newIdentity() async {
    let found = await violations { request, next in
      try await next.dispatch(
        Request(request.head, body: request.body, options: request.options, context: request.context))
    }
    #expect(found == [.leavesUnknownContextAlone])
  }

  @Test(
    "An interceptor that falsifies the origin, the processed flag or another's error is reported",
    arguments: [
      NetworkError(.rejected, "No.", requestMayHaveBeenProcessed: true, origin: .interceptor("Other")),
      NetworkError(.rejected, "No.", requestMayHaveBeenProcessed: true, origin: .dispatcher("Curl")),
      NetworkError(.rejected, "No.", requestMayHaveBeenProcessed: false, origin: .interceptor("Planted")),
      NetworkError(
        .resolve, "No.", requestMayHaveBeenProcessed: true, origin: .dispatcher("ScriptedDispatcher")),
    ])
  func blames(_ planted: NetworkError) async {
    let found = await violations { request, next in
      do {
        return try await next.dispatch(request)
      } catch let error as NetworkError where error.kind != .cancelled(.task) {
        throw planted
      }
    }
    #expect(found == [.attributesHonestly])
  }

  @Test("An interceptor that reports an unsent request as possibly processed is reported")
  func unsentRequest() async {
    let found = await violations { _, _ in
      throw NetworkError(.rejected, "No.", requestMayHaveBeenProcessed: true, origin: .interceptor("Planted"))
    }
    #expect(found == [.attributesHonestly])
  }

  @Test("Laws that no sample can verify are reported as unproven")
  func unproven() async {
    struct Closed: Error {}
    let report = await checkInterceptorLaws(
      InlineInterceptor("Closed", traits: InterceptorTraits(stage: .validation)) { _, _ in throw Closed() })
    #expect(report.violations == [])
    let proven: Set<InterceptorLaw> = [.callsNextAsDeclared]
    #expect(Set(report.unproven.keys) == Set(InterceptorLaw.allCases).subtracting(proven))
  }

  @Test("A report throws its violations as sentences with name and remedy")
  func throwingReport() async {
    let report = await checkInterceptorLaws(
      InlineInterceptor("Planted", traits: InterceptorTraits(stage: .retry)) { _, _ in Response(status: .ok)
      },
      laws: [.callsNextAsDeclared])
    let failure = #expect(throws: InterceptorLawReport.Failure.self) { try report.check() }
    #expect(
      failure?.description
        == "callsNextAsDeclared: Planted responds without calling next; declare callsNext: .atMostOnce")
  }
}
