import HTTPTypes
import Interception
import LoopbackTesting
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ScriptedConformanceTests {
  @Test func `a scripted dispatcher keeps what needs no wire, and lacks the rest`() async throws {
    let report = try await runDispatcherConformance(abilities: []) { setting in
      ScriptedDispatcher { request, _ throws(NetworkError) in try await setting.answer(request) }
    }
    try report.check()
    #expect(report.keptCount == ConformanceCase.all.count { $0.needs.isEmpty })
    #expect(report.keptCount >= 15)
    #expect(
      report.entries.count {
        if case .lacking = $0.verdict { true } else { false }
      } == ConformanceCase.all.count - report.keptCount)
  }

  @Test func `a name stands for one case`() {
    #expect(Set(ConformanceCase.all).count == ConformanceCase.all.count)
  }

  @Test func `a broken promise is reported with its sentence, an exclusion with its reason`() async throws {
    let report = try await runDispatcherConformance(
      [.methods, .bytesBody, .headMethod], abilities: [], excluding: [.headMethod: "the stub has no heads"]
    ) { _ in ScriptedDispatcher() }
    #expect(report.keptCount == 0)
    #expect(report.violations.count == 2)
    #expect(report.violations.first?.contains("the method is nil and not") == true)
    #expect(report.exclusions.first?.contains("the stub has no heads") == true)
    #expect(report.description.contains("3 cases: 0 kept, 2 broken, 1 excluded, 0 lacking"))
    #expect(throws: ConformanceFailure.self) { try report.check() }
  }

  @Test func `a dispatcher that never answers is broken, and does not hold up the suite`() async throws {
    let stuck = TestClock()
    let report = try await runDispatcherConformance(
      [.methods], abilities: [], limit: .milliseconds(50)
    ) { _ in
      ScriptedDispatcher { _, _ throws(NetworkError) in
        try? await stuck.sleep(for: .seconds(1))
        return Response(status: .ok)
      }
    }
    #expect(report.violations.first?.contains("was not over within") == true)
  }

  @Test func `the suite finds planted faults of a dispatcher that works otherwise`() async throws {
    let planted: [(ConformanceCase, ScriptedDispatcher.Script)] = [
      (.target, { _, _ throws(NetworkError) in Response(status: .ok) }),
      (.bufferedLimit, { _, _ throws(NetworkError) in Response(status: .ok, bytes: [1]) }),
      (.statuses, { _, _ throws(NetworkError) in throw NetworkError(.transport, "500 is an error.") }),
      (.onceTwice, { _, _ throws(NetworkError) in Response(status: .ok) }),
      (.bodiless, { _, _ throws(NetworkError) in Response(status: .noContent, bytes: [1]) }),
    ]
    for (conformanceCase, script) in planted {
      let report = try await runDispatcherConformance([conformanceCase], abilities: []) { _ in
        ScriptedDispatcher(script)
      }
      #expect(report.violations.count == 1, "\(conformanceCase)")
    }
  }
}
