import CFileFaults
import CookieKeeping
import CurlTransport
import DNSBypass
import Deployment
import HTTPTypes
import Interception
import Mediation
import SwitchyardTesting
import WebPages

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// `stored-file-crash WHAT PATH POSITION none|before|within|after|full`: replaces a stored file, and is
/// killed before or within the change of a file with a number, or a number of microseconds after it was
/// replaced once; or its disk is full.
///
/// WHAT is `list`, `cookies`, `alternatives`, `pages` or `deployments`; `starts` and `receive` start an app
/// that dies by itself of a deployment document.
@main
struct StoredFileCrash {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 5, let position = Int(words[3]) else { throw Usage() }
    switch words[4] {
    case "before": file_faults_arm(file_fault_kill_before, position, 1)
    case "within": file_faults_arm(file_fault_kill_within, position, 1)
    // For fewer changes than replacing a file takes.
    case "full": file_faults_arm(file_fault_full, position, 3)
    default: break
    }
    let moment = words[4] == "after" ? position : nil
    switch words[1] {
    case "list": try replaceList(words[2], killedAfter: moment)
    case "cookies": try await replaceCookies(words[2], killedAfter: moment)
    case "alternatives": replaceAlternatives(words[2], killedAfter: moment)
    case "pages": try await replacePages(words[2], killedAfter: moment)
    case "deployments": try await receiveDocuments(words[2], killedAfter: moment)
    case "starts": try await start(words[2])
    case "receive": try await start(words[2], receiving: "received")
    default: throw Usage()
    }
    print("changes \(file_faults_count())")
  }

  /// Whether a file is replaced again: until the process is killed at the moment, which is counted from the
  /// first call.
  private static func isRepeated(_ moment: Int?) -> Bool {
    guard let moment else { return false }
    file_faults_kill_after(moment)
    return true
  }

  private static func replaceList(_ path: String, killedAfter moment: Int?) throws {
    let file = WholeFile(path: path)
    // A text of some hundred bytes, so that half of it is a list as well.
    let hosts = (1...20).map { "new.example:\($0) 203.0.114.\($0)\n" }.joined()
    repeat {
      let record = AddressListRecord(
        refreshed: WallTime(secondsSince1970: 2_000), signed: Array(("issued 2000\n" + hosts).utf8))
      guard let bytes = record.encoded() else { throw Usage() }
      try file.replace(with: bytes, isSynchronized: true)
    } while isRepeated(moment)
  }

  private static func replaceCookies(_ path: String, killedAfter moment: Int?) async throws {
    let cookies = CookieStore(file: path) { _ in }
    var number = 0
    repeat {
      number += 1
      let server = CookieServer(value: "new\(number)")
      _ = try await Pipeline(over: server) { CookieInterceptor(cookies) }
        .send(Request(authority: "estate.example", path: "/"))
    } while isRepeated(moment)
  }

  /// Stores advertisements of HTTP/3, the first of them at the port 2.
  private static func replaceAlternatives(_ path: String, killedAfter moment: Int?) {
    let store = AlternativeServiceStore(AlternativeServiceFile(path), time: .system)
    var port = 1
    repeat {
      port = port % 65_535 + 1
      store.set(host: "estate.example", port: port, lifetime: .seconds(86_400))
      store.write()
    } while isRepeated(moment)
  }

  /// Installs packages into the store of a folder, which has `private.pem` and `public.pem`.
  private static func replacePages(_ folder: String, killedAfter moment: Int?) async throws {
    let (privateKey, publicKey) = try keys(in: folder)
    let site = "www.estate.example"
    let store = try PagePackageStore(folder: folder, site: site, trusting: [publicKey])
    var version = store.version ?? 1
    repeat {
      version += 1
      var package = try PagePackage(site: site, version: version)
      try package.add("index.html", type: "text/html", Array("version \(version)".utf8))
      try await store.install(package.signed(withPrivateKeyPEM: privateKey))
    } while isRepeated(moment)
  }

  /// The texts of `private.pem` and `public.pem` in a folder.
  private static func keys(in folder: String) throws -> (privateKey: String, publicKey: String) {
    func text(_ name: String) throws -> String {
      let bytes = try WholeFile(path: "\(folder)/\(name)").bytes(upTo: 1_024) ?? []
      return String(decoding: bytes, as: UTF8.self)
    }
    return (try text("private.pem"), try text("public.pem"))
  }

  /// Opens the deployments of a folder, whose part `dies` kills the process when it is checked or applied.
  private static func deployments(_ folder: String, _ time: TimeSource = .system) throws -> Deployments {
    let verifier = try DeploymentVerifier(
      trusting: [DeploymentKey("2026", publicKeyPEM: try keys(in: folder).publicKey)], appVersion: "1.0",
      installation: "a")
    let label = DeploymentPart("label") { content in
      let text = String(decoding: content, as: UTF8.self)
      return { print("applied \(text)") }
    } reset: {
    }
    let dies = DeploymentPart("dies") { content in
      if content == Array("checked".utf8) { kill(getpid(), SIGKILL) }
      return { kill(getpid(), SIGKILL) }
    } reset: {
    }
    return try Deployments(folder: folder, verifier: verifier, parts: [label, dies], time: time)
  }

  /// Receives, confirms and leaves documents, of which each has a higher version.
  private static func receiveDocuments(_ folder: String, killedAfter moment: Int?) async throws {
    let clock = TestClock()
    let time = TimeSource(clock)
    let deployments = try deployments(folder, time)
    var version = deployments.version ?? 0
    repeat {
      version += 1
      let now = time.wallTime()
      var draft = DeploymentDraft(
        version: version, validFrom: now.advanced(by: .seconds(-60)), until: now.advanced(by: .seconds(60)))
      draft.setPart("label", to: Array("v\(version)".utf8))
      let bytes = try draft.signed(by: "2026", privateKeyPEM: keys(in: folder).privateKey)
      do { try await deployments.receive(bytes) } catch { print("refused: \(error)") }
      deployments.follow(.background)
      deployments.follow(.foreground)
      clock.advance(by: .seconds(10))
      deployments.confirm()
    } while isRepeated(moment)
    deployments.end()
  }

  /// Starts an app that receives the document in a file, prints what it uses, and does not end orderly.
  private static func start(_ folder: String, receiving name: String? = nil) async throws {
    let deployments = try deployments(folder)
    print("version \(deployments.version.map(String.init) ?? "none")")
    for event in deployments.events { print(event) }
    guard let name else { return }
    let bytes = try WholeFile(path: "\(folder)/\(name)").bytes(upTo: 1 << 20) ?? []
    do { try await deployments.receive(bytes) } catch { print(error) }
  }

  private struct CookieServer: Dispatcher {
    let value: String

    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      Response(
        status: .noContent, headerFields: [.setCookie: "session=\(value); Max-Age=86400"], bytes: [])
    }
  }

  private struct Usage: Error {}
}
