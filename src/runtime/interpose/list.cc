// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The functions of libstdc++ behind std::list. They are in the library, where nobody sees what they
// write.
#include <initializer_list>

#include "runtime/interpose/real.h"
#include "runtime/interpose/touched.h"

namespace omnium::runtime {

// As in <bits/stl_list.h>. The head of a list is one, too.
struct ListNode {
  ListNode *next, *previous;
};

namespace {

OMNIUM_REAL_AS(real_hook, void(ListNode*, ListNode*),
               "_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
OMNIUM_REAL_AS(real_unhook, void(ListNode*), "_ZNSt8__detail15_List_node_base9_M_unhookEv");
OMNIUM_REAL_AS(real_transfer, void(ListNode*, ListNode*, ListNode*),
               "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_");
OMNIUM_REAL_AS(real_reverse, void(ListNode*), "_ZNSt8__detail15_List_node_base10_M_reverseEv");
OMNIUM_REAL_AS(real_swap, void(ListNode&, ListNode&),
               "_ZNSt8__detail15_List_node_base4swapERS0_S1_");

void tell_written(ListNode* const& field, Pc pc) { library_writes(&field, sizeof(field), pc); }

void tell_ends_written(const ListNode& list, Pc pc) {
  library_writes(&list, sizeof(list), pc);
  if (list.next == &list) return;
  tell_written(list.next->previous, pc);
  tell_written(list.previous->next, pc);
}

}  // namespace

OMNIUM_INTERPOSE void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(ListNode* node,
                                                                   ListNode* before) {
  const Pc pc = OMNIUM_USER_PC();
  library_writes(node, sizeof(*node), pc);
  tell_written(before->previous->next, pc);
  tell_written(before->previous, pc);
  real_hook(node, before);
}

OMNIUM_INTERPOSE void _ZNSt8__detail15_List_node_base9_M_unhookEv(ListNode* node) {
  const Pc pc = OMNIUM_USER_PC();
  library_reads(node, sizeof(*node), pc);
  tell_written(node->next->previous, pc);
  tell_written(node->previous->next, pc);
  real_unhook(node);
}

OMNIUM_INTERPOSE void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(ListNode* before,
                                                                           ListNode* first,
                                                                           ListNode* end) {
  if (before != end) {
    const Pc pc = OMNIUM_USER_PC();
    for (ListNode* node : {before, first, end}) {
      tell_written(node->previous->next, pc);
      tell_written(node->previous, pc);
    }
  }
  real_transfer(before, first, end);
}

OMNIUM_INTERPOSE void _ZNSt8__detail15_List_node_base10_M_reverseEv(ListNode* list) {
  const Pc pc = OMNIUM_USER_PC();
  const ListNode* node = list;
  do {
    library_writes(node, sizeof(*node), pc);
    node = node->next;
  } while (node != list);
  real_reverse(list);
}

OMNIUM_INTERPOSE void _ZNSt8__detail15_List_node_base4swapERS0_S1_(ListNode& one, ListNode& other) {
  const Pc pc = OMNIUM_USER_PC();
  tell_ends_written(one, pc);
  tell_ends_written(other, pc);
  real_swap(one, other);
}

}  // namespace omnium::runtime
