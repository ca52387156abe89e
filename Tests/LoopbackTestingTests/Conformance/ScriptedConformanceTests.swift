import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import LoopbackTesting

@Suite(.timeLimit(.minutes(5)))
struct ScriptedConformanceTests {
  @Test("A scripted dispatcher meets the requirements without connections, and lacks the rest")
  func scripted() async throws {
    let report = try await runDispatcherConformance(abilities: []) { setting in
      ScriptedDispatcher { request, _ throws(NetworkError) in try await setting.respond(to: request) }
    }
    try report.check()
    #expect(report.keptCount == ConformanceCase.all.count { $0.needs.isEmpty })
    #expect(report.keptCount >= 15)
    #expect(
      report.entries.count {
        if case .lacking = $0.verdict { true } else { false }
      } == ConformanceCase.all.count - report.keptCount)
  }

  @Test("The names of cases are unique")
  func names() {
    #expect(Set(ConformanceCase.all.map(\.name)).count == ConformanceCase.all.count)
  }

  @Test("A violation is reported with a sentence, and an exclusion with its reason")
  func reporting() async throws {
    let report = try await runDispatcherConformance(
      [.methods, .bytesBody, .headMethod], abilities: [], excluding: ["headMethod": "the stub has no heads"]
    ) { _ in ScriptedDispatcher() }
    #expect(report.keptCount == 0)
    #expect(report.violations.count == 2)
    #expect(report.violations.first?.contains("the method is nil, expected") == true)
    #expect(report.exclusions.first?.contains("the stub has no heads") == true)
    #expect(report.description.contains("3 cases: 0 kept, 2 broken, 1 excluded, 0 lacking"))
    #expect(throws: ConformanceError.self) { try report.check() }
  }

  @Test("An exclusion that names no case fails the run, and the error names it")
  func unknownExclusion() async throws {
    let error = await #expect(throws: LoopbackError.self) {
      _ = try await runDispatcherConformance(abilities: [], excluding: ["headMethods": "misspelled"]) { _ in
        ScriptedDispatcher()
      }
    }
    #expect(error?.description.contains("\"headMethods\"") == true)
  }

  @Test("A dispatcher that never responds is reported as broken and does not block the suite")
  func neverResponding() async throws {
    let stuck = TestClock()
    let report = try await runDispatcherConformance(
      [.methods], abilities: [], limit: .milliseconds(50)
    ) { _ in
      ScriptedDispatcher { _, _ throws(NetworkError) in
        try? await stuck.sleep(for: .seconds(1))
        return Response(status: .ok)
      }
    }
    #expect(report.violations.first?.contains("did not finish within") == true)
  }

  @Test("The suite detects planted faults in a dispatcher")
  func plantedFaults() async throws {
    let planted: [(ConformanceCase, ScriptedDispatcher)] = [
      (.target, ScriptedDispatcher { _, _ throws(NetworkError) in Response(status: .ok) }),
      (.bufferedLimit, ScriptedDispatcher { _, _ throws(NetworkError) in Response(status: .ok, bytes: [1]) }),
      (
        .statuses,
        ScriptedDispatcher { _, _ throws(NetworkError) in
          throw NetworkError(.transport, "500 is an error.")
        }
      ),
      (.requestTrailers, ScriptedDispatcher { _, _ throws(NetworkError) in Response(status: .ok) }),
      (.onceTwice, ScriptedDispatcher { _, _ throws(NetworkError) in Response(status: .ok) }),
      (
        .bodiless,
        ScriptedDispatcher { _, _ throws(NetworkError) in Response(status: .noContent, bytes: [1]) }
      ),
    ]
    for (conformanceCase, dispatcher) in planted {
      let report = try await runDispatcherConformance([conformanceCase], abilities: []) { _ in
        dispatcher
      }
      #expect(report.violations.count == 1, "\(conformanceCase)")
    }
  }
}
