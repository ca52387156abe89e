import Account
import EstateApp
import Switchyard
import Testing

@Suite("Deployment documents", .timeLimit(.minutes(5)), .server)
final class DeploymentTests: ServerTests {
  @Test(
    "A document changes a price label, a redirect and a switched-off module while the app runs, and stays")
  func whileItRuns() async throws {
    let shell = try server.shell(console, hasQueues: true)
    #expect(await shell.open("estate://home/42") == .done)
    #expect(!console.lines.contains { $0.contains("asking price") })
    #expect(await shell.open("estate://offers") == .failed("unknown_route"))
    await shell.openAll("estate://about", "estate://settings/deployment/spring", "estate://home/42")
    #expect(console.lines.last { $0.contains("asking price") } != nil)
    #expect(await shell.open("estate://offers") == .done)
    #expect(shell.navigator.state.top?.url == "estate://listings/condo")
    #expect(await shell.open("estate://about") == .failed("unknown_route"))
    let version = try #require(shell.deployment.version)
    await shell.closeFiles()

    let next = try server.shell(hasQueues: true)
    #expect(next.deployment.version == version)
    #expect(await next.open("estate://about") == .failed("unknown_route"))
    await next.openAll("estate://settings/deployment/none", "estate://about")
    #expect(await next.open("estate://offers") == .failed("unknown_route"))
    await next.closeFiles()
  }

  @Test("A document that was changed on its way is refused, and what was deployed stays")
  func forged() async throws {
    let shell = try server.shell(hasQueues: true)
    #expect(await shell.open("estate://settings/deployment/spring") == .done)
    let version = shell.deployment.version
    #expect(await shell.open("estate://settings/deployment/forged") == .failed("DeploymentError"))
    #expect(shell.deployment.version == version)
    #expect(await shell.open("estate://about") == .failed("unknown_route"))
    await shell.closeFiles()
  }

  @Test("The safe start is shown: an app that dies twice of a document starts with the one before")
  func safeStart() async throws {
    let shell = try server.shell(console, hasQueues: true)
    #expect(await shell.open("estate://settings/deployment/deadly") == .done)
    let lines = console.step("estate://settings/deployment/deadly").flatMap { $0.split(separator: "\n") }
    let starts = lines.filter { $0.contains("    start ") }
    #expect(starts.count == 3)
    #expect(starts.prefix(2).allSatisfy { $0.hasSuffix("and dies of it") })
    #expect(starts.last?.hasSuffix("and lives") == true && starts.last != starts.first)
    #expect(lines.last { $0.contains("held back") }?.contains("tries again after 1 h") == true)
    // The app itself has received nothing of it.
    #expect(shell.deployment.version == nil)
    await shell.closeFiles()
  }
}
