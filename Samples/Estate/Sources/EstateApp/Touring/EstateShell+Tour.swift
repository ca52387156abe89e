package import Account

extension EstateShell {
  /// The answers to the tour's login prompts: none at first, then the account's, the same again when the
  /// session has expired, and none as a guest.
  package static var tourAnswers: [MemberCredentials?] {
    let account = MemberCredentials(user: "demo", password: "open-house")
    return [nil, account, account, nil]
  }

  /// Walks through the app until the end or the task's cancellation, and returns whether every step ended as
  /// expected.
  package func tour(_ pager: TourPager = .none) async -> Bool {
    let steps = Tour().steps
    var surprises = 0
    for (index, step) in steps.enumerated() {
      let goesOn = index == 0 ? true : await pager.goesOn()
      guard goesOn, !Task.isCancelled else {
        say("The tour ended after \(index) of \(steps.count) steps.")
        return surprises == 0
      }
      let hitsBefore = tally.hits
      let result = await run(step.title, step.action)
      let hits = tally.hits - hitsBefore
      guard result == step.expected, hits >= step.hits else {
        surprises += 1
        say("  ✗ expected \(step.expected) with \(step.hits) from cache, got \(result) with \(hits)")
        continue
      }
    }
    say("")
    say(
      surprises == 0
        ? "Every step ended as expected; the errors were planted, reported and survived."
        : "\(surprises) steps did not end as expected, see ✗ above.")
    return surprises == 0
  }
}
