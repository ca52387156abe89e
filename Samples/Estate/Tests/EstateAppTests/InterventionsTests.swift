import EstateApp
import Foundation
import Inspection
import Switchyard
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct InterventionsTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../interventions.json").standardized.path

  @Test("The sample's rules answer one home, and the others are the server's")
  func sample() async throws {
    let rules = try InterventionRules(contentsOf: Self.file)
    #expect(try InterventionRules(json: rules.json) == rules)
    let inspector = Inspector.estate()
    let interceptor = try InterventionInterceptor(rules, permission: .debugBuildsOnly)
    try await RunningPages.use(inspector: inspector, interventions: interceptor) { _, pages in
      await pages.type("estate://home/7")
      await pages.type("estate://home/8")
      let archive = String(decoding: inspector.archive(), as: UTF8.self)
      let marks = archive.components(
        separatedBy: #""_alterations":["\"Home 7 is gone\": answered with 404"]"#)
      #expect(marks.count == 2)
      #expect(archive.contains("/homes/8"))
    }
  }
}
