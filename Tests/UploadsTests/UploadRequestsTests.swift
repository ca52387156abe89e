import HTTPTypes
import Interception
import Testing

@testable import Uploads

@Suite("The requests of an upload")
struct UploadRequestsTests {
  private static let fields: HTTPFields = [
    .authorization: "Bearer t", .contentType: "image/png", .contentDisposition: "inline", .accept: "*/*",
  ]

  private func requests(
    _ resumption: UploadProtocol, method: HTTPRequest.Method = .post, fields: HTTPFields = fields
  ) -> UploadRequests {
    UploadRequests(
      request: Request(method: method, authority: "a.example", path: "/files?k=1", headerFields: fields),
      resumption: resumption, length: 100)
  }

  private func target() throws -> UploadTarget {
    try #require(UploadTarget("https://a.example/u/1"))
  }

  /// Returns the fields of a request as text, without those of the user.
  private func text(_ request: Request) -> [String] {
    request.head.headerFields.filter { ![.authorization, .accept].contains($0.name) }
      .map { "\($0.name.canonicalName): \($0.value)" }.sorted()
  }

  @Test("tus names its version in every request but OPTIONS, and the metadata in base 64")
  func tus() throws {
    let metadata = ["filename": "world_domination_plan.pdf", "is_confidential": ""]
    let requests = requests(.tus(metadata: metadata))
    let target = try target()
    #expect(text(requests.request(for: .discover, at: nil)) == [])
    #expect(
      text(requests.request(for: .create, at: nil)) == [
        "content-disposition: inline", "content-type: image/png", "tus-resumable: 1.0.0",
        "upload-length: 100",
        "upload-metadata: filename d29ybGRfZG9taW5hdGlvbl9wbGFuLnBkZg==,is_confidential",
      ])
    #expect(text(requests.request(for: .locate, at: target)) == ["tus-resumable: 1.0.0"])
    #expect(
      text(requests.request(for: .append(7..<9, isLast: false), at: target, checksum: "sha1 x")) == [
        "content-type: application/offset+octet-stream", "tus-resumable: 1.0.0", "upload-checksum: sha1 x",
        "upload-offset: 7",
      ])
    #expect(text(requests.removal(of: target)) == ["tus-resumable: 1.0.0"])
  }

  @Test("The draft names its interop version, and only the creation describes the file")
  func draft() throws {
    let requests = requests(.httpDraft, method: .put)
    let target = try target()
    let version = "upload-draft-interop-version: 8"
    let creation = requests.request(for: .create, at: nil)
    #expect(creation.head.method == .put && creation.head.path == "/files?k=1")
    #expect(
      text(creation) == [
        "content-disposition: inline", "content-type: image/png", "upload-complete: ?0", version,
        "upload-length: 100",
      ])
    #expect(text(requests.request(for: .locate, at: target)) == [version])
    for (isLast, value) in [(false, "?0"), (true, "?1")] {
      #expect(
        text(requests.request(for: .append(7..<9, isLast: isLast), at: target)) == [
          "content-type: application/partial-upload", "upload-complete: \(value)", version,
          "upload-offset: 7",
        ])
    }
    #expect(requests.removal(of: target).head.method == .delete)
  }

  @Test("Each request has its own ID, the user's fields and options, and no cache")
  func common() throws {
    var user = Request(method: .post, authority: "a.example", path: "/files", headerFields: Self.fields)
    user.options.priority = .low
    user.context.isIdempotent = true
    let requests = UploadRequests(request: user, resumption: .tus(), length: 1)
    let target = try target()
    let append = requests.request(for: .append(0..<1, isLast: true), at: target)
    let others = [.discover, .create, .locate].map { requests.request(for: $0, at: target) }
    for request in others + [append, requests.removal(of: target)] {
      #expect(request.head.headerFields[.authorization] == "Bearer t" && request.options.priority == .low)
      #expect(request.context.cacheRule == .off)
    }
    #expect(Set((others + [append]).map(\.id)).count == 4)
    // A part is never sent again without the server's position.
    #expect(!append.isIdempotent && !append.permits(.resending))
    #expect(others.map(\.context.isIdempotent) == [nil, true, nil])
  }

  @Test(
    "A request that cannot be that of an upload is refused",
    arguments: [
      "get", "put", "body", "trailers", "upgrade", "offset", "length", "authority", "scheme", "metadata",
      "space",
    ])
  func unfit(what: String) throws {
    var request = Request(method: .post, authority: "a.example", path: "/files")
    var resumption = UploadProtocol.tus()
    switch what {
    case "get": request.head.method = .get
    case "put": request.head.method = .put
    case "body": request.body = .text("a")
    case "trailers": request.trailers = RequestTrailers([.eTag]) { [:] }
    case "upgrade": request.context.upgrade = "websocket"
    case "offset": request.head.headerFields[upload: .offset] = "0"
    case "length": request.head.headerFields[.contentLength] = "0"
    case "authority": request.head.authority = nil
    case "scheme": request.head.scheme = "ftp"
    case "metadata": resumption = .tus(metadata: ["": "a"])
    default: resumption = .tus(metadata: ["file name": "a"])
    }
    let error = #expect(throws: NetworkError.self) {
      try UploadRequests(request: request, resumption: resumption, length: 1).check()
    }
    #expect(error?.kind == .invalidRequest)
  }

  @Test("The destination and the description of the file identify the upload, and the credentials don't")
  func identity() throws {
    let identities = try [
      requests(.tus()).identity(nil), requests(.tus(metadata: ["a": "b"])).identity(nil),
      requests(.httpDraft).identity(nil), requests(.httpDraft, method: .put).identity(nil),
      requests(.httpDraft, fields: [:]).identity(nil), requests(.tus()).identity("chart"),
      requests(.tus()).identity(requests(.tus()).base),
    ].map { fields in try UploadRecord.digest(of: fields) }
    #expect(Set(identities).count == identities.count)
    var fields = Self.fields
    fields[.authorization] = "Bearer other"
    #expect(requests(.tus(), fields: fields).identity(nil) == requests(.tus()).identity(nil))
    let signed = UploadRequests(
      request: Request(method: .post, authority: "b.example", path: "/?signature=2"), resumption: .tus(),
      length: 100)
    #expect(signed.identity("chart") == requests(.tus()).identity("chart"))
  }
}
