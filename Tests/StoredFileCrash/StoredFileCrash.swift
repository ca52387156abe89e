import CFileFaults
import CookieKeeping
import DNSBypass
import HTTPTypes
import Interception
import WebPages

/// `stored-file-crash list|cookies|pages PATH POSITION none|before|within|after`: replaces a stored file, and
/// is killed before or within the change of a file with a number, or after a number of microseconds.
@main
struct StoredFileCrash {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 5, let position = Int(words[3]) else { throw Usage() }
    switch words[4] {
    case "before": file_faults_arm(file_fault_kill_before, position, 1)
    case "within": file_faults_arm(file_fault_kill_within, position, 1)
    case "after": file_faults_kill_after(position)
    default: break
    }
    let repeats = words[4] == "after"
    switch words[1] {
    case "list": try replaceList(words[2], repeats: repeats)
    case "cookies": try await replaceCookies(words[2], repeats: repeats)
    case "pages": try await replacePages(words[2], repeats: repeats)
    default: throw Usage()
    }
    print("changes \(file_faults_count())")
  }

  private static func replaceList(_ path: String, repeats: Bool) throws {
    let file = WholeFile(path: path)
    // A text of some hundred bytes, so that half of it is a list as well.
    let hosts = (1...20).map { "new.example:\($0) 203.0.114.\($0)\n" }.joined()
    repeat {
      let record = AddressListRecord(
        refreshed: WallTime(secondsSince1970: 2_000), signed: Array(("issued 2000\n" + hosts).utf8))
      guard let bytes = record.encoded() else { throw Usage() }
      try file.replace(with: bytes, isSynchronized: true)
    } while repeats
  }

  private static func replaceCookies(_ path: String, repeats: Bool) async throws {
    let cookies = CookieStore(file: path) { _ in }
    var number = 0
    repeat {
      number += 1
      let server = CookieServer(value: "new\(number)")
      _ = try await Pipeline(over: server) { CookieInterceptor(cookies) }
        .send(Request(authority: "estate.example", path: "/"))
    } while repeats
  }

  /// Installs packages into the store of a folder, which has `private.pem` and `public.pem`.
  private static func replacePages(_ folder: String, repeats: Bool) async throws {
    func text(_ name: String) throws -> String {
      let bytes = try WholeFile(path: "\(folder)/\(name)").bytes(upTo: 1_024) ?? []
      return String(decoding: bytes, as: UTF8.self)
    }
    let (privateKey, publicKey) = (try text("private.pem"), try text("public.pem"))
    let site = "www.estate.example"
    let store = try PagePackageStore(folder: folder, site: site, trusting: [publicKey])
    var version = store.version ?? 1
    repeat {
      version += 1
      var package = try PagePackage(site: site, version: version)
      try package.add("index.html", type: "text/html", Array("version \(version)".utf8))
      try await store.install(package.signed(withPrivateKeyPEM: privateKey))
    } while repeats
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
