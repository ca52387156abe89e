import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

/// Keeps what it should let go.
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
    return report.violations.map(\.law).filter { seen.insert($0).inserted }
  }

  @Test func `an interceptor that only hands on keeps every law`() async {
    let report = await checkInterceptorLaws(
      InlineInterceptor("Honest", traits: InterceptorTraits(stage: .retry)) { try await $1.dispatch($0) })
    #expect(report.violations == [])
    #expect(report.unproven == [:])
    #expect(report.description == "Honest keeps the laws")
  }

  @Test func `one that works in a task of its own is found`() async {
    let found = await violations { request, next in
      let work = Task { try await next.dispatch(request) }
      return try await work.value
    }
    #expect(found == [.passesCancellation])
  }

  @Test func `one that answers after the cancellation is found`() async {
    let found = await violations { request, next in
      do {
        return try await next.dispatch(request)
      } catch let error as NetworkError where error.kind == .cancelled(.task) {
        return Response(status: .ok)
      }
    }
    #expect(found == [.passesCancellation])
  }

  @Test func `one that tries again after the cancellation is found`() async {
    let found = await violations(InterceptorTraits(stage: .retry, callsNext: .anyNumber)) { request, next in
      do {
        return try await next.dispatch(request)
      } catch let error as NetworkError where error.kind == .cancelled(.task) {
        return try await next.dispatch(request)
      }
    }
    #expect(found == [.passesCancellation])
  }

  @Test func `one that makes another error of the cancellation is found`() async {
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

  @Test func `one that reads a request's body without a word is found`() async {
    let found = await violations { request, next in
      _ = try await request.body.open().read()
      return try await next.dispatch(request)
    }
    #expect(found == [.readsOnlyDeclaredBodies])
  }

  @Test func `one that reads a request's body and says so is not`() async {
    let traits = InterceptorTraits(stage: .signing, requestBody: .replayable)
    let found = await violations(traits) { request, next in
      _ = try await request.body.open().read()
      return try await next.dispatch(request)
    }
    #expect(found == [])
  }

  @Test func `one that reads an answer's body without a word is found`() async {
    let found = await violations { request, next in
      try await next.dispatch(request).buffered(upTo: 1_000)
    }
    #expect(found == [.readsOnlyDeclaredBodies])
  }

  @Test func `one that reads an answer's body and says so is not`() async {
    let traits = InterceptorTraits(stage: .logging, responseBody: .bytes(upTo: 1_000))
    let found = await violations(traits) { request, next in
      try await next.dispatch(request).buffered(upTo: 1_000)
    }
    #expect(found == [])
  }

  @Test func `one that calls next more often than it says is found`() async {
    for declared in [InterceptorTraits.NextCalls.exactlyOnce, .atMostOnce] {
      let found = await violations(InterceptorTraits(stage: .retry, callsNext: declared)) { request, next in
        let response = try await next.dispatch(request)
        return response.status == .serviceUnavailable ? try await next.dispatch(request) : response
      }
      #expect(found == [.callsNextAsDeclared])
    }
  }

  @Test func `one that answers by itself and promised to call next is found`() async {
    let found = await violations { _, _ in Response(status: .ok) }
    #expect(found == [.callsNextAsDeclared])
  }

  @Test func `one that keeps an answer that nobody wants is found`() async {
    let report = await checkInterceptorLaws(Hoarder(), patience: .milliseconds(300))
    #expect(Set(report.violations.map(\.law)) == [.releasesDroppedAnswers])
  }

  @Test func `one that makes the request anew is found`() async {
    let found = await violations { request, next in
      try await next.dispatch(Request(request.head, body: request.body, options: request.options))
    }
    #expect(found == [.leavesUnknownContextAlone])
  }

  @Test func `one that keeps the context and changes the identity is found`() async {
    let found = await violations { request, next in
      try await next.dispatch(
        Request(request.head, body: request.body, options: request.options, context: request.context))
    }
    #expect(found == [.leavesUnknownContextAlone])
  }

  @Test(
    "one that blames another, hides that the request was processed, or changes another's error is found",
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

  @Test func `one that says of an unsent request that it may have been processed is found`() async {
    let found = await violations { _, _ in
      throw NetworkError(.rejected, "No.", requestMayHaveBeenProcessed: true, origin: .interceptor("Planted"))
    }
    #expect(found == [.attributesHonestly])
  }

  @Test func `what no sample can prove is reported as unproven`() async {
    struct Closed: Error {}
    let report = await checkInterceptorLaws(
      InlineInterceptor("Closed", traits: InterceptorTraits(stage: .validation)) { _, _ in throw Closed() })
    #expect(report.violations == [])
    let proven: Set<InterceptorLaw> = [.callsNextAsDeclared]
    #expect(Set(report.unproven.keys) == Set(InterceptorLaw.allCases).subtracting(proven))
  }

  @Test func `a report throws its violations as sentences with name and remedy`() async {
    let report = await checkInterceptorLaws(
      InlineInterceptor("Planted", traits: InterceptorTraits(stage: .retry)) { _, _ in Response(status: .ok)
      },
      laws: [.callsNextAsDeclared])
    let failure = #expect(throws: InterceptorLawReport.Failure.self) { try report.check() }
    #expect(
      failure?.description
        == "callsNextAsDeclared: Planted answers without next; declare callsNext: .atMostOnce")
  }
}
