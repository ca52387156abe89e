import HTTPTypes
import Interception
import Testing

@testable import Uploads

@Suite("An upload's plan")
struct UploadPlanTests {
  static let now = WallTime(secondsSince1970: 784_111_777)
  static let base = "https://a.example/files"
  static let both: [UploadProtocol] = [.tus(), .httpDraft]
  static let location: HTTPFields = [.location: "/files/1"]

  /// Returns a trial whose upload was created and has no content yet.
  private func created(_ resumption: UploadProtocol, length: Int64 = 100, requestLimit: Int64? = nil)
    -> UploadTrial
  {
    var trial = UploadTrial(resumption, length: length, requestLimit: requestLimit)
    if resumption.isTus { #expect(trial.answer(204, [.tusVersion: "1.0.0"]) == "proceed") }
    #expect(trial.answer(201, other: Self.location) == "created")
    return trial
  }

  @Test("A list of versions may have empty members")
  func emptyMembers() {
    var trial = UploadTrial(.tus())
    #expect(trial.answer(204, [.tusVersion: ", ,0.2.2,1.0.0,"]) == "proceed")
  }

  @Test("A tus upload is discovered, created and sent in one part")
  func tus() {
    var trial = UploadTrial(.tus())
    #expect(trial.next() == "discover")
    #expect(trial.answer(204, [.tusVersion: "1.0.0,0.2.2", .tusMaxSize: "100"]) == "proceed")
    #expect(trial.next() == "create")
    #expect(trial.answer(201, other: Self.location) == "created")
    #expect(trial.plan.target?.url == "https://a.example/files/1")
    #expect(trial.next() == "append 0..<100 last")
    #expect(trial.answer(204, [.offset: "100"]) == "finished")
  }

  @Test("An upload of the draft is created and sent in parts, the last of which completes it")
  func draft() {
    var trial = UploadTrial(.httpDraft, requestLimit: 60)
    #expect(trial.next() == "create")
    #expect(trial.answer(201, other: Self.location) == "created")
    #expect(trial.next() == "append 0..<60")
    #expect(trial.answer(204, [.isComplete: "?0"]) == "proceed")
    #expect(trial.next() == "append 60..<100 last")
    #expect(trial.answer(200, [.isComplete: "?1"]) == "finished")
  }

  @Test("An upload of an earlier run is located first, and its end may have arrived already", arguments: both)
  func resumed(resumption: UploadProtocol) {
    var trial = UploadTrial(resumption, isResumed: true)
    #expect(trial.next() == "locate")
    #expect(trial.answer(200, [.offset: "40", .isComplete: "?0", .length: "100"]) == "proceed")
    #expect(trial.next() == "append 40..<100 last" && trial.plan.resumedFrom == 40)
    var complete = UploadTrial(resumption, isResumed: true)
    #expect(complete.answer(200, [.offset: "100", .isComplete: "?1"]) == "finished")
    #expect(complete.plan.resumedFrom == 100)
    // Content that an earlier process sent last may arrive after the first question.
    trial.lose(sent: 50)
    #expect(trial.answer(200, [.offset: "90"]) == "proceed")
    #expect(trial.next() == "append 90..<100 last" && trial.plan.resumedFrom == 40)
  }

  @Test("After a loss the position is asked first, and only the rest is sent", arguments: both)
  func lost(resumption: UploadProtocol) {
    var trial = created(resumption)
    trial.lose(sent: 70)
    #expect(trial.next() == "locate")
    trial.lose()
    #expect(trial.next() == "locate")
    #expect(trial.answer(200, [.offset: "64"]) == "proceed")
    #expect(trial.next() == "append 64..<100 last" && trial.plan.resumedFrom == 0)
  }

  @Test(
    "A position that is impossible is a violation of the protocol",
    arguments: ["71", "19", "101", "-1", "x", "20, 20", "99999999999999999999", nil] as [String?])
  func lies(offset: String?) {
    for resumption in Self.both {
      var trial = created(resumption)
      trial.lose(sent: 50)
      #expect(trial.answer(200, [.offset: "20"]) == "proceed")
      trial.lose(sent: 70)
      let fields = offset.map { [UploadField.offset: $0] } ?? [:]
      #expect(trial.answer(200, fields) == "refused protocol_violation")
    }
  }

  @Test("Another length, a complete upload without its content and a used new one are violations")
  func contradictions() {
    for resumption in Self.both {
      var trial = UploadTrial(resumption, isResumed: true)
      #expect(trial.answer(200, [.offset: "1", .length: "99"]) == "refused protocol_violation")
      var new = UploadTrial(resumption)
      if resumption.isTus { _ = new.answer(404) }
      #expect(new.answer(201, [.offset: "1"], other: Self.location) == "refused protocol_violation")
    }
    var trial = UploadTrial(.httpDraft, isResumed: true)
    #expect(trial.answer(200, [.offset: "99", .isComplete: "?1"]) == "refused protocol_violation")
    var early = created(.httpDraft, requestLimit: 10)
    #expect(early.answer(204, [.isComplete: "?1"]) == "refused protocol_violation")
  }

  @Test(
    "The response to a part of tus names the new position",
    arguments: [
      ("60", "proceed"), ("59", "failed incomplete"), ("0", "failed incomplete"),
      ("61", "refused protocol_violation"), (nil, "refused protocol_violation"),
    ] as [(String?, String)])
  func part(offset: String?, verdict: String) {
    var trial = created(.tus(), requestLimit: 60)
    #expect(trial.answer(204, offset.map { [.offset: $0] } ?? [:]) == verdict)
    if verdict.hasPrefix("failed") { #expect(trial.next() == "locate") }
  }

  @Test(
    "A part of the draft that the server does not call complete is located, and completed without content")
  func unconfirmed() {
    var trial = created(.httpDraft)
    #expect(trial.answer(204) == "failed incomplete")
    #expect(trial.next() == "locate")
    #expect(trial.answer(204, [.offset: "100", .isComplete: "?0"]) == "proceed")
    #expect(trial.next() == "append 100..<100 last")
    #expect(trial.answer(200, [.isComplete: "?1"]) == "finished")
  }

  @Test("A complete upload of the draft that the server can't process is not resumed")
  func unprocessed() {
    var trial = created(.httpDraft)
    #expect(trial.answer(422, [.isComplete: "?1"]) == "rejected 422")
  }

  @Test("An empty file is complete with its creation in tus, and with an empty part in the draft")
  func empty() {
    var tus = UploadTrial(.tus(), length: 0)
    #expect(tus.answer(404) == "proceed")
    #expect(tus.answer(201, other: Self.location) == "finished")
    var draft = created(.httpDraft, length: 0)
    #expect(draft.next() == "append 0..<0 last")
    #expect(draft.answer(200, [.isComplete: "?1"]) == "finished")
  }

  @Test(
    "What the server supports decides before the upload is created",
    arguments: [
      (204, [.tusVersion: "0.2.2"], "refused unsupportedVersion"),
      (204, [.tusVersion: "1.0.0", .tusMaxSize: "99"], "refused tooLarge"),
      (204, [.tusVersion: "1.0.0", .tusMaxSize: "?"], "proceed"), (405, [:], "proceed"),
      (200, [:], "proceed"),
      (503, [:], "failed 503"),
    ] as [(Int, [UploadField: String], String)])
  func discovery(code: Int, fields: [UploadField: String], verdict: String) {
    var trial = UploadTrial(.tus())
    #expect(trial.answer(code, fields) == verdict)
  }

  @Test("A checksum is sent only if the server lists it, also to an upload of an earlier run")
  func checksums() {
    let sha1 = UploadProtocol.tus(checksum: .sha1)
    let known: [UploadField: String] = [.tusVersion: "1.0.0", .tusChecksumAlgorithm: "md5, sha1,crc32"]
    var trial = UploadTrial(sha1, isResumed: true)
    #expect(trial.next() == "discover")
    #expect(trial.answer(204, known) == "proceed")
    #expect(trial.next() == "locate")
    var other = UploadTrial(.tus(checksum: .sha256))
    #expect(other.answer(204, known) == "refused unsupportedChecksum")
    var silent = UploadTrial(sha1)
    #expect(silent.answer(404) == "refused unsupportedChecksum")
    var damaged = created(.tus())
    #expect(damaged.answer(460) == "failed checksumMismatch")
    #expect(damaged.next() == "locate")
  }

  @Test(
    "A creation that fails is repeated only if it may succeed",
    arguments: [
      (503, "failed 503"), (429, "failed 429"), (500, "refused 500"), (401, "refused 401"),
      (307, "refused 307"), (413, "refused tooLarge"), (200, "refused notResumable"),
    ])
  func creation(code: Int, verdict: String) {
    for resumption in Self.both {
      var trial = UploadTrial(resumption)
      if resumption.isTus { _ = trial.answer(404) }
      #expect(trial.answer(code) == verdict)
      #expect(trial.next() == "create")
    }
  }

  @Test("Another version of tus ends the upload, at any step")
  func versions() {
    var trial = UploadTrial(.tus())
    _ = trial.answer(404)
    var later = trial
    #expect(trial.answer(412, [.tusVersion: "2.0.0"]) == "refused unsupportedVersion")
    #expect(
      later.answer(201, [.tusResumable: "0.2.2"], other: Self.location) == "refused unsupportedVersion")
    var draft = created(.httpDraft)
    #expect(draft.answer(412) == "refused 412")
  }

  @Test(
    "A part that fails is located if it may succeed later",
    arguments: [
      (409, "failed 409"), (423, "failed 423"), (500, "failed 500"), (503, "failed 503"),
      (400, "refused 400"), (415, "refused 415"), (308, "refused 308"), (501, "refused 501"),
    ])
  func refusedPart(code: Int, verdict: String) {
    for resumption in Self.both {
      var trial = created(resumption)
      #expect(trial.answer(code) == verdict)
      #expect(trial.next() == "locate")
    }
  }

  @Test("The problem types of the draft decide whether the upload continues")
  func problems() {
    func verdict(_ type: String) -> String {
      var trial = created(.httpDraft)
      return trial.answer(
        400, problem: "{\"type\":\"https://iana.org/assignments/http-problem-types#\(type)\"}")
    }
    #expect(verdict("mismatching-upload-offset") == "failed 400")
    #expect(verdict("completed-upload") == "failed 400")
    #expect(verdict("inconsistent-upload-length") == "refused 400")
    #expect(verdict("other") == "refused 400")
  }

  @Test("An upload that the server no longer has is begun anew, a bounded number of times", arguments: both)
  func gone(resumption: UploadProtocol) {
    var trial = UploadTrial(resumption, isResumed: true)
    #expect(trial.answer(404) == "proceed")
    if resumption.isTus { #expect(trial.answer(404) == "proceed") }
    #expect(trial.next() == "create")
    #expect(trial.answer(201, other: Self.location) == "created")
    #expect(trial.answer(410) == "proceed")
    #expect(trial.answer(201, other: Self.location) == "created")
    #expect(trial.answer(404) == "refused gone")
  }

  @Test("A 403 means in tus that there is no upload, and in the draft that the client may not have it")
  func forbidden() {
    var tus = UploadTrial(.tus(), isResumed: true)
    #expect(tus.answer(403) == "proceed")
    #expect(tus.next() == "discover")
    var draft = UploadTrial(.httpDraft, isResumed: true)
    #expect(draft.answer(403) == "refused 403")
  }

  @Test("An upload that is gone after its end was sent is not begun anew", arguments: both)
  func unknownEnd(resumption: UploadProtocol) {
    var trial = created(resumption)
    trial.lose()
    #expect(trial.answer(404) == "refused completionUnknown")
    var failed = created(resumption)
    #expect(failed.answer(500) == "failed 500")
    #expect(failed.answer(410) == "refused completionUnknown")
    var unsent = created(resumption)
    unsent.lose(sent: 99)
    #expect(unsent.answer(404) == "proceed")
    var known = created(resumption)
    known.lose()
    #expect(known.answer(200, [.offset: "80"]) == "proceed")
    #expect(known.answer(404) == "proceed")
    // The end was sent once, but not by the request that was lost last.
    for (position, mayHaveArrived) in [(90, true), (100, false)] {
      var again = created(resumption)
      again.lose()
      #expect(again.answer(200, [.offset: "80"]) == "proceed")
      again.lose(sent: Int64(position), mayHaveArrived: mayHaveArrived)
      #expect(again.answer(404) == "proceed")
    }
  }

  @Test("An expired upload is begun anew without a question, a bounded number of times")
  func expired() {
    let past = WallTime(secondsSince1970: Self.now.seconds - 1)
    var trial = UploadTrial(.httpDraft, isResumed: true, expires: past)
    #expect(trial.next() == "create")
    #expect(trial.answer(201, [.limit: "max-age=0"], other: Self.location) == "created")
    #expect(trial.next() == "create")
    #expect(trial.answer(201, [.limit: "max-age=0"], other: Self.location) == "created")
    #expect(trial.next() == "gone")
    // What may be complete is not sent again before the server was asked.
    let later = WallTime(secondsSince1970: Self.now.seconds + 6)
    var lost = UploadTrial(.httpDraft)
    #expect(lost.answer(201, [.limit: "max-age=5"], other: Self.location) == "created")
    lost.lose()
    #expect(lost.next(at: later) == "locate")
    #expect(lost.answer(200, [.offset: "80"]) == "proceed")
    #expect(lost.next(at: later) == "create")
    var living = UploadTrial(
      .httpDraft, isResumed: true, expires: WallTime(secondsSince1970: Self.now.seconds + 1))
    #expect(living.next() == "locate")
  }

  @Test("The limits of the server and of the user determine the length of a part")
  func limits() {
    func next(_ limit: String, requestLimit: Int64? = nil) -> String {
      var trial = UploadTrial(.httpDraft, requestLimit: requestLimit)
      let verdict = trial.answer(201, [.limit: limit], other: Self.location)
      return verdict == "created" ? trial.next() : verdict
    }
    #expect(next("max-append-size=30") == "append 0..<30")
    #expect(next("max-append-size=30", requestLimit: 20) == "append 0..<20")
    #expect(next("min-append-size=40", requestLimit: 20) == "append 0..<40")
    #expect(next("min-append-size=200") == "append 0..<100 last")
    #expect(next("max-size=100, max-append-size=0") == "append 0..<1")
    #expect(next("max-size=99") == "refused tooLarge")
    #expect(next("max-size=99;x, max-append-size=\"a\"") == "append 0..<100 last")
  }

  @Test("Parts become smaller after a 413, down to a limit")
  func smaller() {
    let length: Int64 = 1 << 30
    var trial = created(.tus(), length: length)
    var sizes: [String] = []
    for _ in 0..<2 {
      #expect(trial.answer(413) == "proceed")
      #expect(trial.answer(200, [.offset: "0"]) == "proceed")
      sizes.append(trial.next())
    }
    #expect(sizes == ["append 0..<\(64 << 20)", "append 0..<\(32 << 20)"])
    var small = created(.tus(), length: 65_536)
    #expect(small.answer(413) == "refused tooLarge")
    // A server that names a slightly smaller limit each time.
    var named = created(.httpDraft, length: length)
    var verdict = ""
    var count = 0
    repeat {
      verdict = named.answer(413, [.limit: "max-append-size=\(length - Int64(count) - 1)"])
      if verdict == "proceed" { verdict = named.answer(200, [.offset: "0"]) }
      count += 1
    } while verdict == "proceed" && count < 100
    #expect(verdict == "refused tooLarge" && count == 24)
  }
}
