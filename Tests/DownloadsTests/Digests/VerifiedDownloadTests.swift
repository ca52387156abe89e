import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import Downloads

@Suite("A verified download", .timeLimit(.minutes(5)))
struct VerifiedDownloadTests {
  private static let content = (0..<100).map { UInt8($0) }
  private static let right = DigestFieldsTests.sha256
  private static let wrong = "OObPzcnaxxHm44o56NkCVXeB0551cbYK7F5YVh1Q0Vw="
  private let folder: DownloadFolder

  init() throws { folder = try DownloadFolder() }

  private static func expected(_ base64: String = right) throws -> FileDigest {
    try FileDigest(.sha256, bytes: Array(try #require(Data(base64Encoded: base64))))
  }

  private func download(
    _ check: DownloadPolicy.DigestCheck = .ifSent, expecting digest: FileDigest? = nil,
    revalidates: Bool = false
  ) -> FileDownload {
    FileDownload(
      Request(authority: "a.example", path: "/file"), to: folder.target, expecting: digest,
      policy: DownloadPolicy(failureLimit: 1, revalidates: revalidates, digestCheck: check))
  }

  private func server(_ field: String? = nil, _ value: String? = nil, breaksAfter: Int? = nil) -> RangeServer
  {
    let server = RangeServer(Self.content, breaksAfter: breaksAfter)
    if let field, let name = HTTPField.Name(field) { server.change { $0.fields[name] = value } }
    return server
  }

  @discardableResult
  private func fault(_ server: some Dispatcher, _ download: FileDownload) async -> DownloadFault? {
    let error = await #expect(throws: NetworkError.self) { try await download.run(over: server) }
    return error?.underlying(as: DownloadFault.self)
  }

  @Test(
    "A file with the digest that the server sends becomes the target",
    arguments: [
      ("Repr-Digest", "sha-256=:\(right):"), ("Repr-Digest", "sha-512=:\(DigestFieldsTests.sha512):"),
      ("Content-Digest", "sha-256=:\(right):"), ("Digest", "SHA-256=\(right)"),
    ])
  func matching(field: String, value: String) async throws {
    let outcome = try await download().run(over: server(field, value))
    #expect(outcome.digests.count == 1 && value.contains(outcome.digests[0].base64))
    #expect(try folder.read() == Self.content)
    #expect(try folder.names == ["file.bin"])
  }

  @Test(
    "A file with another digest is removed, and the target is unchanged",
    arguments: [
      ("Repr-Digest", "sha-256=:\(wrong):"), ("Content-Digest", "sha-256=:\(wrong):"),
      ("Digest", "SHA-256=\(wrong)"),
    ])
  func mismatching(field: String, value: String) async throws {
    try folder.write([9], "file.bin")
    #expect(await fault(server(field, value), download()) == .digestMismatch(.sha256))
    #expect(try folder.read() == [9])
    #expect(try folder.names == ["file.bin"])
    // The policy may ignore the server's digests.
    let outcome = try await download(.none).run(over: server(field, value))
    #expect(try outcome.digests.isEmpty && folder.read() == Self.content)
  }

  @Test(
    "Without a digest that can be checked the file is accepted, unless one is required",
    arguments: [
      (nil, nil), ("Repr-Digest", "sha-256=:\(wrong)"), ("Repr-Digest", "md5=:1B2M2Y8AsgTpgAmY7PhCfg==:"),
      ("Digest", "MD5=1B2M2Y8AsgTpgAmY7PhCfg=="),
    ] as [(String?, String?)])
  func absent(field: String?, value: String?) async throws {
    let server = server(field, value)
    #expect(await fault(server, download(.required)) == .digestMissing)
    #expect(try folder.names == [])
    #expect(server.requests.last?.head.headerFields[DigestFields.wanted] == "sha-256=10")
    #expect(try await download().run(over: server).digests.isEmpty)
    #expect(server.requests.last?.head.headerFields[DigestFields.wanted] == nil)
    #expect(try folder.read() == Self.content)
  }

  @Test("An expected digest is checked whatever the server sends, and whatever the policy says")
  func expected() async throws {
    for check in [DownloadPolicy.DigestCheck.none, .ifSent, .required] {
      let outcome = try await download(check, expecting: Self.expected()).run(over: server())
      #expect(try outcome.digests == [Self.expected()])
      let other = download(check, expecting: try Self.expected(Self.wrong))
      #expect(await fault(server(), other) == .digestMismatch(.sha256))
      #expect(try folder.names == ["file.bin"])
    }
  }

  @Test("A response that states another digest than the expected one is refused unread")
  func contradiction() async throws {
    let source = ScriptedByteSource([Self.content])
    let fields: HTTPFields = [.eTag: "\"v1\"", DigestFields.representation: "sha-256=:\(Self.wrong):"]
    let response = Response(
      HTTPResponse(status: .ok, headerFields: fields), body: .stream(BodyStream(length: 100, source)))
    let download = download(expecting: try Self.expected())
    #expect(await fault(ScriptedDispatcher(answering: response), download) == .digestMismatch(.sha256))
    #expect(source.reads == 0)
    #expect(try folder.names == [])
  }

  @Test("A digest in the trailer fields is checked as well", arguments: [right, wrong, nil])
  func trailers(digest: String?) async throws {
    var trailers = HTTPFields()
    trailers[DigestFields.representation] = digest.map { "sha-256=:\($0):" }
    let server = ScriptedDispatcher(
      answering: Response(
        HTTPResponse(status: .ok, headerFields: [.trailer: "Repr-Digest"]), body: .bytes(Self.content),
        trailers: trailers))
    switch digest {
    case Self.right?:
      #expect(try await download(.required).run(over: server).digests == [Self.expected()])
    case nil: #expect(await fault(server, download(.required)) == .digestMissing)
    default: #expect(await fault(server, download(.required)) == .digestMismatch(.sha256))
    }
  }

  @Test("A resumed file is verified as a whole, also by a digest that only the first response had")
  func resumed() async throws {
    let server = server("Repr-Digest", "sha-256=:\(Self.right):", breaksAfter: 30)
    await fault(server, download())
    server.change { ($0.breaksAfter, $0.fields) = (nil, [.eTag: "\"v1\""]) }
    let outcome = try await download(.required).run(over: server)
    #expect(try outcome.resumedFrom == 30 && outcome.digests == [Self.expected()])
    #expect(try folder.read() == Self.content)
  }

  @Test("Bytes that were damaged on the disk between two runs are found, and the next run begins anew")
  func damaged() async throws {
    let server = server("Repr-Digest", "sha-256=:\(Self.right):", breaksAfter: 30)
    await fault(server, download())
    try FileManager.default.removeItem(atPath: folder.target + ".part")
    try folder.write([UInt8](repeating: 0, count: 30), "file.bin.part")
    server.change { $0.breaksAfter = nil }
    #expect(await fault(server, download()) == .digestMismatch(.sha256))
    #expect(try folder.names == [])
    #expect(try await download().run(over: server).resumedFrom == 0)
    #expect(server.ranges == [nil, "bytes=30-", nil])
    #expect(try folder.read() == Self.content)
  }

  @Test("A new version is not verified by the digest of the version before")
  func replaced() async throws {
    let server = server("Repr-Digest", "sha-256=:\(Self.wrong):", breaksAfter: 30)
    await fault(server, download())
    server.change { ($0.breaksAfter, $0.fields) = (nil, [.eTag: "\"v2\""]) }
    #expect(try await download().run(over: server).digests.isEmpty)
    #expect(try folder.read() == Self.content)
  }

  @Test("A file that lacked only its renaming is verified before it")
  func complete() async throws {
    let server = server("Repr-Digest", "sha-256=:\(Self.right):", breaksAfter: 100)
    await fault(server, download())
    let outcome = try await download(.required).run(over: server)
    #expect(try outcome.head.status == .rangeNotSatisfiable && outcome.digests == [Self.expected()])
  }

  @Test("A mismatch is not a failure that a run survives")
  func notRepeated() async throws {
    let server = server("Repr-Digest", "sha-256=:\(Self.wrong):")
    let patient = FileDownload(
      Request(authority: "a.example", path: "/file"), to: folder.target,
      policy: DownloadPolicy(firstWait: .zero))
    #expect(await fault(server, patient) == .digestMismatch(.sha256))
    #expect(server.requests.count == 1)
  }

  @Test("An unchanged target is left as it is if it was verified, and otherwise read or requested again")
  func unchanged() async throws {
    let server = server()
    let digest = try Self.expected()
    _ = try await download(revalidates: true).run(over: server)
    // The expected digest is compared with the target's content.
    let read = try await download(expecting: digest, revalidates: true).run(over: server)
    #expect(read.isUnchanged && read.digests == [digest])
    // No digest is known of it, and the server sends none.
    #expect(await fault(server, download(.required, revalidates: true)) == .digestMissing)
    #expect(server.requests.suffix(2).map { $0.head.headerFields[.ifNoneMatch] } == ["\"v1\"", nil])
    server.change { $0.fields[DigestFields.representation] = "sha-256=:\(Self.right):" }
    #expect(try await !download(.required, revalidates: true).run(over: server).isUnchanged)
    let known = try await download(.required, revalidates: true).run(over: server)
    #expect(known.isUnchanged && known.digests == [digest])
    let other = download(expecting: try Self.expected(Self.wrong), revalidates: true)
    #expect(await fault(server, other) == .digestMismatch(.sha256))
    #expect(try folder.read() == Self.content)
  }
}
