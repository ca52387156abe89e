import HTTPTypes
import Interception
import Testing

@testable import Downloads

@Suite("A download's plan")
struct DownloadPlanTests {
  static let record = DownloadRecord(identity: 7, validator: .entityTag("\"v1\""), total: 100)

  private func plan(_ record: DownloadRecord? = record, size: Int64 = 40) -> DownloadPlan {
    DownloadPlan(identity: 7, found: record, size: size)
  }

  /// Describes a verdict in a few words.
  private func word(_ verdict: DownloadVerdict) -> String {
    switch verdict {
    case .writeAnew(let record, let total):
      "anew \(record.map { "\($0.validator.fieldValue) \($0.total ?? -1)" } ?? "-") \(total ?? -1)"
    case .append(let end, let total): "append \(end) \(total ?? -1)"
    case .writeParts(let record, let end):
      "writeParts \(end) \(record.parts?.list.map(\.range.description) ?? [])"
    case .resumeParts(let end): "resumeParts \(end)"
    case .complete: "complete"
    case .unchanged(let length): "unchanged \(length)"
    case .askAnew: "askAnew"
    case .refuse(let error): "refuse \(error.label)"
    }
  }

  private func judge(
    _ plan: DownloadPlan, _ code: Int, _ fields: HTTPFields, length: Int64? = nil
  ) -> String {
    word(plan.judge(HTTPResponse(status: .init(code: code), headerFields: fields), length: length))
  }

  @Test("The remainder is requested on condition that the version is unchanged")
  func rest() {
    var request = Request(authority: "a.example", path: "/f")
    request.head.headerFields[.acceptEncoding] = "gzip"
    let asked = plan().request(from: request)
    #expect(asked.head.headerFields[.range] == "bytes=40-")
    #expect(asked.head.headerFields[.ifRange] == "\"v1\"")
    #expect(asked.head.headerFields[.acceptEncoding] == "identity")
    #expect(asked.options.delivery == .streamed)
  }

  @Test("A complete target is requested again only if the server has another version of it")
  func complete() {
    let request = Request(authority: "a.example", path: "/f")
    func plan(_ validator: DownloadValidator, identity: UInt64 = 7, found: DownloadRecord? = nil)
      -> DownloadPlan
    {
      DownloadPlan(
        identity: 7, found: found, size: found == nil ? 0 : 40,
        complete: DownloadRecord(identity: identity, validator: validator, total: 90))
    }
    let byTag = plan(.entityTag("\"v0\""))
    #expect(byTag.request(from: request).head.headerFields[.ifNoneMatch] == "\"v0\"")
    #expect(byTag.request(from: request).head.headerFields[.range] == nil)
    #expect(judge(byTag, 304, [:]) == "unchanged 90")
    #expect(judge(byTag, 304, [.eTag: "\"v0\""]) == "unchanged 90")
    #expect(judge(byTag, 304, [.eTag: "\"v5\""]) == "askAnew")
    #expect(judge(byTag, 200, [.eTag: "\"v1\""], length: 5) == "anew \"v1\" 5 5")
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(plan(.lastModified(date)).request(from: request).head.headerFields[.ifModifiedSince] == date)
    // With an unfinished file of a newer version, the server decides which of both it has.
    let both = plan(.entityTag("\"v0\""), found: Self.record).request(from: request).head.headerFields
    #expect(both[.ifNoneMatch] == "\"v0\"" && both[.range] == "bytes=40-" && both[.ifRange] == "\"v1\"")
    var forgetting = byTag
    forgetting.forget()
    let foreign = plan(.entityTag("\"v0\""), identity: 8)
    for plan in [forgetting, foreign, self.plan()] {
      #expect(plan.request(from: request).head.headerFields[.ifNoneMatch] == nil)
      #expect(judge(plan, 304, [:]) == "refuse rejected")
    }
  }

  @Test("The whole content is requested if the unfinished file cannot be resumed")
  func whole() {
    let request = Request(authority: "a.example", path: "/f")
    let useless = [
      plan(nil), plan(size: 0), plan(size: 101),
      plan(DownloadRecord(identity: 8, validator: .entityTag("\"v1\""), total: 100)),
    ]
    for plan in useless {
      #expect(plan.offset == 0)
      #expect(plan.request(from: request).head.headerFields[.range] == nil)
      #expect(plan.request(from: request).head.headerFields[.ifRange] == nil)
    }
  }

  @Test("A whole content starts the file anew, and its strong validator is recorded")
  func anew() {
    #expect(judge(plan(), 200, [.eTag: "\"v2\""], length: 50) == "anew \"v2\" 50 50")
    #expect(judge(plan(nil), 200, [.eTag: "W/\"v2\""], length: 50) == "anew - 50")
    #expect(judge(plan(nil), 200, [:]) == "anew - -1")
  }

  @Test(
    "A part is appended only if it is the next one of the same version",
    arguments: [
      ("bytes 40-99/100", "\"v1\"", 60, "append 100 100"),
      ("bytes 40-99/100", "\"v1\"", nil, "append 100 100"),
      ("bytes 40-59/100", "\"v1\"", 20, "append 60 100"),
      ("bytes 40-99/*", "\"v1\"", 60, "append 100 100"),
      ("bytes 40-99/100", nil, 60, "askAnew"),
      ("bytes 40-99/*", nil, nil, "askAnew"),
      ("bytes 39-99/100", "\"v1\"", 61, "askAnew"),
      ("bytes 41-99/100", "\"v1\"", 59, "askAnew"),
      ("bytes 0-99/100", "\"v1\"", 100, "askAnew"),
      ("bytes 40-99/101", "\"v1\"", 60, "askAnew"),
      ("bytes 40-100/*", "\"v1\"", 61, "askAnew"),
      ("bytes 40-99/100", "\"v1\"", 61, "askAnew"),
      ("bytes 40-99/100", "\"v2\"", 60, "askAnew"),
      ("bytes 40-99/100", "W/\"v1\"", 60, "askAnew"),
      ("bytes 40-9223372036854775807/*", "\"v1\"", nil, "askAnew"),
      ("pages 40-99/100", "\"v1\"", 60, "askAnew"),
      (nil, "\"v1\"", 60, "askAnew"),
    ] as [(String?, String?, Int64?, String)])
  func part(range: String?, tag: String?, length: Int64?, verdict: String) {
    var fields = HTTPFields()
    fields[.contentRange] = range
    fields[.eTag] = tag
    #expect(judge(plan(), 206, fields, length: length) == verdict)
  }

  @Test(
    "Without an entity tag the date confirms a part, or the same complete length",
    arguments: [
      (206, "bytes 40-99/100", date, 100, "append 100 100"),
      (206, "bytes 40-99/*", date, 100, "append 100 100"),
      (206, "bytes 40-99/100", nil, 100, "append 100 100"), (206, "bytes 40-99/*", nil, 100, "askAnew"),
      (206, "bytes 40-99/100", date, nil, "append 100 100"), (206, "bytes 40-99/100", nil, nil, "askAnew"),
      (206, "bytes 40-99/100", other, 100, "askAnew"), (206, "bytes 40-99/101", date, 100, "askAnew"),
      (416, "bytes */40", date, 40, "complete"), (416, "bytes */40", nil, 40, "complete"),
      (416, "bytes */40", date, nil, "complete"), (416, "bytes */40", nil, nil, "askAnew"),
      (416, "bytes */40", other, 40, "askAnew"), (416, "bytes */41", date, 41, "askAnew"),
    ] as [(Int, String, String?, Int64?, String)])
  func byDate(code: Int, range: String, changed: String?, total: Int64?, verdict: String) {
    var fields: HTTPFields = [.contentRange: range]
    fields[.lastModified] = changed
    let record = DownloadRecord(identity: 7, validator: .lastModified(Self.date), total: total)
    #expect(judge(plan(record), code, fields) == verdict)
  }

  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let other = "Sun, 06 Nov 1994 08:49:38 GMT"

  @Test("A record and a version of another owner are neither resumed nor confirmed")
  func owners() {
    let owners: [String?] = [nil, String(repeating: "a", count: 64), String(repeating: "b", count: 64)]
    for (recorded, present) in owners.flatMap({ owner in owners.map { (owner, $0) } }) {
      let record = DownloadRecord(identity: 7, owner: recorded, validator: .entityTag("\"v1\""), total: 100)
      let plan = DownloadPlan(identity: 7, owner: present, found: record, size: 40, complete: record)
      let fields = plan.request(from: Request(authority: "a.example", path: "/f")).head.headerFields
      #expect(fields[.range] == (recorded == present ? "bytes=40-" : nil))
      #expect(fields[.ifNoneMatch] == (recorded == present ? "\"v1\"" : nil))
      #expect(plan.offset == (recorded == present ? 40 : 0))
    }
  }

  @Test("A part that was not requested is refused")
  func unasked() {
    #expect(judge(plan(nil), 206, [.contentRange: "bytes 0-9/10"]) == "refuse protocol_violation")
  }

  @Test(
    "A 416 completes the download if all bytes are present, and it confirms their version",
    arguments: [
      ("bytes */40", "\"v1\"", "complete"), ("bytes */40", nil, "askAnew"),
      ("bytes */40", "\"v2\"", "askAnew"), ("bytes */41", "\"v1\"", "askAnew"),
      ("bytes */*", "\"v1\"", "askAnew"), (nil, "\"v1\"", "askAnew"),
    ] as [(String?, String?, String)])
  func unsatisfied(range: String?, tag: String?, verdict: String) {
    var fields = HTTPFields()
    fields[.contentRange] = range
    fields[.eTag] = tag
    let unknown = DownloadRecord(identity: 7, validator: .entityTag("\"v1\""), total: nil)
    #expect(judge(plan(unknown), 416, fields) == verdict)
    let known = DownloadRecord(identity: 7, validator: .entityTag("\"v1\""), total: 41)
    #expect(judge(plan(known), 416, fields) == "askAnew")
  }

  @Test("Content in another coding is requested anew, and every other status is refused")
  func refused() {
    #expect(judge(plan(), 200, [.contentEncoding: "gzip"]) == "anew - -1")
    let coded: HTTPFields = [.contentEncoding: "br", .contentRange: "bytes 40-99/100", .eTag: "\"v1\""]
    #expect(judge(plan(), 206, coded) == "askAnew")
    #expect(judge(plan(), 200, [.contentEncoding: "Identity"]) == "anew - -1")
    for code in [204, 301, 304, 404, 503] { #expect(judge(plan(), code, [:]) == "refuse rejected") }
    #expect(judge(plan(nil), 416, [:]) == "refuse rejected")
  }

  private static let division = PartDivision(count: 4, minimum: 10)

  @Test("With several parts the range of the first one is requested, on condition that the target is older")
  func firstPart() {
    let request = Request(authority: "a.example", path: "/f")
    var plan = DownloadPlan(
      identity: 7, found: nil, size: 0,
      complete: DownloadRecord(identity: 7, validator: .entityTag("\"v0\""), total: 90),
      division: Self.division)
    let fields = plan.request(from: request).head.headerFields
    #expect(fields[.range] == "bytes=0-19" && fields[.ifRange] == nil && fields[.ifNoneMatch] == "\"v0\"")
    plan.forget()
    #expect(plan.request(from: request).head.headerFields[.range] == "bytes=0-19")
    plan.requestWhole()
    #expect(plan.request(from: request).head.headerFields[.range] == nil)
    let one = DownloadPlan(identity: 7, found: nil, size: 0, division: PartDivision(minimum: 10))
    #expect(one.request(from: request).head.headerFields[.range] == nil)
    // The remainder of a file that began in one part.
    let begun = DownloadPlan(identity: 7, found: Self.record, size: 40, division: Self.division)
    #expect(begun.request(from: request).head.headerFields[.range] == "bytes=40-")
  }

  @Test(
    "The response to the range of the first part begins the parts, or the whole file",
    arguments: [
      (
        206, "bytes 0-19/100", "\"v1\"", 20,
        #"writeParts 20 ["0..<20", "20..<40", "40..<60", "60..<80", "80..<100"]"#
      ),
      (206, "bytes 0-9/40", "\"v1\"", nil, #"writeParts 10 ["0..<10", "10..<20", "20..<30", "30..<40"]"#),
      (206, "bytes 0-14/15", "\"v1\"", 15, "anew \"v1\" 15 15"), (206, "bytes 0-14/15", nil, 15, "anew - 15"),
      (206, "bytes 0-19/100", nil, 20, "askAnew"), (206, "bytes 0-19/100", "W/\"v1\"", 20, "askAnew"),
      (206, "bytes 0-19/*", "\"v1\"", 20, "askAnew"), (206, "bytes 1-19/100", "\"v1\"", 19, "askAnew"),
      (206, "bytes 0-20/100", "\"v1\"", 21, "askAnew"), (206, "bytes 0-19/100", "\"v1\"", 19, "askAnew"),
      (206, nil, "\"v1\"", 20, "askAnew"), (416, "bytes */0", nil, 0, "askAnew"),
      (200, nil, "\"v1\"", 100, "anew \"v1\" 100 100"), (404, nil, nil, 0, "refuse rejected"),
    ] as [(Int, String?, String?, Int64?, String)])
  func firstPartResponse(code: Int, range: String?, tag: String?, length: Int64?, verdict: String) {
    var fields = HTTPFields()
    fields[.contentRange] = range
    fields[.eTag] = tag
    let plan = DownloadPlan(identity: 7, found: nil, size: 0, division: Self.division)
    #expect(judge(plan, code, fields, length: length) == verdict)
  }

  @Test("Recorded parts are continued with the first one that is not complete")
  func recordedParts() {
    func plan(_ parts: [(range: Range<Int64>, next: Int64)], size: Int64 = 100) -> DownloadPlan {
      var record = Self.record
      record.parts = DownloadParts(parts, total: 100)
      return DownloadPlan(identity: 7, found: record, size: size)
    }
    let request = Request(authority: "a.example", path: "/f")
    let begun = plan([(0..<20, 20), (20..<60, 25), (60..<100, 100)])
    let fields = begun.request(from: request).head.headerFields
    #expect(begun.offset == 65 && fields[.range] == "bytes=25-59" && fields[.ifRange] == "\"v1\"")
    let confirmed: HTTPFields = [.contentRange: "bytes 25-59/100", .eTag: "\"v1\""]
    #expect(judge(begun, 206, confirmed, length: 35) == "resumeParts 60")
    #expect(judge(begun, 206, [.contentRange: "bytes 25-59/100"], length: 35) == "askAnew")
    #expect(judge(begun, 416, [.contentRange: "bytes */65"]) == "askAnew")
    #expect(judge(begun, 200, [.eTag: "\"v2\""], length: 5) == "anew \"v2\" 5 5")
    #expect(judge(begun, 503, [:]) == "refuse rejected")
    let complete = plan([(0..<20, 20), (20..<100, 100)])
    #expect(complete.request(from: request).head.headerFields[.range] == "bytes=100-")
    #expect(judge(complete, 416, [.contentRange: "bytes */100", .eTag: "\"v1\""]) == "complete")
    #expect(judge(complete, 416, [.contentRange: "bytes */100"]) == "askAnew")
    // The unfinished file must contain the recorded bytes, and not more than the file.
    for useless in [plan([(0..<20, 20), (20..<100, 91)], size: 90), plan([(0..<100, 9)], size: 101)] {
      #expect(useless.offset == 0 && useless.request(from: request).head.headerFields[.range] == nil)
    }
    #expect(plan([(0..<20, 0), (20..<100, 20)]).record == nil)
  }

  @Test("Different downloads have different identities, however their fields are divided")
  func identities() {
    let lists = [["a", "b"], ["ab"], ["ab", ""], ["", "ab"], ["b", "a"], []]
    #expect(Set(lists.map { DownloadPlan.identity(of: $0) }).count == lists.count)
    #expect(DownloadPlan.identity(of: ["a"]) == DownloadPlan.identity(of: ["a"]))
  }
}
