import Switchyard
import SwitchyardTesting
import Testing

@testable import CustomInterceptor

@Suite("An interceptor of another package")
struct IntroductionTests {
  @Test("G3: A third-party interceptor works without changes to the library")
  func plugsIn() async throws {
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) {
      ValidationInterceptor()
      Introduction()
    }
    let response = try await pipeline.send(Request(authority: "example.com", path: "/"))
    #expect(response.status == .ok)
    #expect(dispatcher.requests.map { $0.head.headerFields[.userAgent] } == ["QuickStart/1"])
    #expect(pipeline.names == ["ValidationInterceptor", "Introduction"])
  }

  @Test("G3: An interceptor in the wrong place is reported together with its neighbor")
  func wrongPlace() throws {
    let issue = try #require(throws: PipelineIssue.self) {
      try Pipeline(over: ScriptedDispatcher()) {
        Introduction()
        ValidationInterceptor()
      }
    }
    #expect(
      issue.description
        == "ValidationInterceptor (validation, 100) is listed after Introduction (authorization, 350); "
        + "move it before Introduction.\nThe right order: ValidationInterceptor, Introduction."
    )
  }
}
